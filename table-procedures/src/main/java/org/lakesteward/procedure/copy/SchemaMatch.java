
package org.lakesteward.procedure.copy;

import org.apache.iceberg.Schema;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.COLUMN_ADDED;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.COLUMN_DROPPED;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.COLUMN_RENAMED;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.COLUMN_TYPE;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.NOT_UNDERSTOOD;
import static org.lakesteward.procedure.copy.CopyObstacle.Reason.NO_FIELD_IDS;

/**
 * Compares a file's schema with the table's current one, column by column through field ids: nothing may have been added,
 * dropped, renamed or promoted since the file was written, and every value must have the physical form that section
 * "Appendix A: Format-specific Requirements, Parquet" of the Iceberg specification gives to its type. Nullability and the
 * order of columns may differ: readers go by field id, and both change without any file being rewritten.
 * <p>
 * Pure; thread-confined.
 */
final class SchemaMatch
{
    private final String file;
    private final Set<Integer> seenIds = new HashSet<>();

    private SchemaMatch(String file)
    {
        this.file = requireNonNull(file, "file is null");
    }

    /**
     * @param columns the file's top-level columns without row-lineage columns
     */
    static Optional<CopyObstacle> obstacle(String file, List<ParquetNode> columns, Schema tableSchema)
    {
        try {
            new SchemaMatch(file).struct("", columns, tableSchema.asStruct());
            return Optional.empty();
        }
        catch (Mismatch mismatch) {
            return Optional.of(mismatch.obstacle);
        }
    }

    private void struct(String parent, List<ParquetNode> nodes, Types.StructType struct)
            throws Mismatch
    {
        Map<Integer, ParquetNode> byId = new HashMap<>();
        Set<String> names = new HashSet<>();
        for (ParquetNode node : nodes) {
            int id = fieldId(node);
            byId.put(id, node);
            if (!names.add(node.name().toLowerCase(Locale.ENGLISH))) {
                throw mismatch(NOT_UNDERSTOOD, "column %s of %s has a sibling whose name differs in upper and lower case only", node.dottedPath(), file);
            }
            if (struct.field(id) == null) {
                throw mismatch(COLUMN_DROPPED, "column %s (field id %s) of %s is not in the table any more", node.dottedPath(), id, file);
            }
        }
        if (nodes.isEmpty() && !struct.fields().isEmpty() && !parent.isEmpty()) {
            throw mismatch(NOT_UNDERSTOOD, "column %s of %s is a group without columns", parent, file);
        }
        for (NestedField field : struct.fields()) {
            ParquetNode node = byId.get(field.fieldId());
            if (node == null) {
                throw mismatch(
                        COLUMN_ADDED,
                        "column %s%s (field id %s) of the table is not in %s%s",
                        parent.isEmpty() ? "" : parent + ".", field.name(), field.fieldId(), file, field.initialDefault() == null ? "" : ", whose rows read its initial default");
            }
            // the name that Iceberg's writers give to a column whose name Avro would not allow
            if (!node.name().equals(field.name()) && !node.name().equals(AvroSchemaUtil.makeCompatibleName(field.name()))) {
                throw mismatch(COLUMN_RENAMED, "field id %s is named %s in %s and %s in the table", field.fieldId(), node.dottedPath(), file, field.name());
            }
            if (node.isRepeated()) {
                throw mismatch(COLUMN_TYPE, "column %s of %s is repeated without being a list", node.dottedPath(), file);
            }
            type(node, field.type());
        }
    }

    private int fieldId(ParquetNode node)
            throws Mismatch
    {
        if (!node.element().isSetField_id()) {
            throw mismatch(NO_FIELD_IDS, "column %s of %s has no field id, the file is read by column names", node.dottedPath(), file);
        }
        int id = node.element().getField_id();
        if (!seenIds.add(id)) {
            throw mismatch(NOT_UNDERSTOOD, "field id %s occurs more than once in %s", id, file);
        }
        return id;
    }

    private void type(ParquetNode node, Type type)
            throws Mismatch
    {
        switch (type) {
            case Types.StructType struct when !node.isLeaf() && !node.element().isSetLogicalType() && !node.element().isSetConverted_type() ->
                    struct(node.dottedPath(), node.children(), struct);
            case Types.ListType list when isList(node) -> {
                ParquetNode element = node.children().getFirst().children().getFirst();
                nested(element, list.elementId(), list.elementType());
            }
            case Types.MapType map when isMap(node) -> {
                List<ParquetNode> entry = node.children().getFirst().children();
                nested(entry.getFirst(), map.keyId(), map.keyType());
                nested(entry.getLast(), map.valueId(), map.valueType());
            }
            case Type.PrimitiveType primitive when node.isLeaf() && isForm(primitive, node.element()) -> {}
            default -> throw mismatch(COLUMN_TYPE, "column %s of %s is stored as %s, the table's type is %s", node.dottedPath(), file, describe(node), type);
        }
    }

    private void nested(ParquetNode node, int expectedId, Type type)
            throws Mismatch
    {
        int id = fieldId(node);
        if (id != expectedId) {
            throw mismatch(COLUMN_TYPE, "column %s of %s has field id %s, the table has %s there", node.dottedPath(), file, id, expectedId);
        }
        if (node.isRepeated()) {
            throw mismatch(COLUMN_TYPE, "column %s of %s is repeated without being a list", node.dottedPath(), file);
        }
        type(node, type);
    }

    /** Three levels, as section "Lists" of the Parquet logical types demands of writers; older forms are left to the encoder. */
    private static boolean isList(ParquetNode node)
    {
        SchemaElement element = node.element();
        return !node.isLeaf() &&
                (element.isSetLogicalType() ? element.getLogicalType().isSetLIST() : element.getConverted_type() == ConvertedType.LIST) &&
                node.children().size() == 1 &&
                node.children().getFirst().isRepeated() &&
                !node.children().getFirst().isLeaf() &&
                node.children().getFirst().children().size() == 1;
    }

    private static boolean isMap(ParquetNode node)
    {
        SchemaElement element = node.element();
        return !node.isLeaf() &&
                (element.isSetLogicalType() ? element.getLogicalType().isSetMAP() : element.getConverted_type() == ConvertedType.MAP) &&
                node.children().size() == 1 &&
                node.children().getFirst().isRepeated() &&
                !node.children().getFirst().isLeaf() &&
                node.children().getFirst().children().size() == 2;
    }

    private static boolean isForm(Type.PrimitiveType type, SchemaElement element)
    {
        boolean plain = !element.isSetLogicalType() && !element.isSetConverted_type();
        return switch (type.typeId()) {
            case BOOLEAN -> element.getType() == org.apache.parquet.format.Type.BOOLEAN && plain;
            case INTEGER -> element.getType() == org.apache.parquet.format.Type.INT32 && (plain || isSignedInteger(element, 32, ConvertedType.INT_32));
            case LONG -> element.getType() == org.apache.parquet.format.Type.INT64 && (plain || isSignedInteger(element, 64, ConvertedType.INT_64));
            case FLOAT -> element.getType() == org.apache.parquet.format.Type.FLOAT && plain;
            case DOUBLE -> element.getType() == org.apache.parquet.format.Type.DOUBLE && plain;
            case DATE -> element.getType() == org.apache.parquet.format.Type.INT32 &&
                    (element.isSetLogicalType() ? element.getLogicalType().isSetDATE() : element.getConverted_type() == ConvertedType.DATE);
            case TIME -> element.getType() == org.apache.parquet.format.Type.INT64 &&
                    (element.isSetLogicalType() ? isMicros(time(element.getLogicalType())) : element.getConverted_type() == ConvertedType.TIME_MICROS);
            case TIMESTAMP -> element.getType() == org.apache.parquet.format.Type.INT64 && isTimestamp(element, ((Types.TimestampType) type).shouldAdjustToUTC(), true);
            case TIMESTAMP_NANO -> element.getType() == org.apache.parquet.format.Type.INT64 && isTimestamp(element, ((Types.TimestampNanoType) type).shouldAdjustToUTC(), false);
            case STRING -> element.getType() == org.apache.parquet.format.Type.BYTE_ARRAY &&
                    (element.isSetLogicalType() ? element.getLogicalType().isSetSTRING() : element.getConverted_type() == ConvertedType.UTF8);
            case UUID -> element.getType() == org.apache.parquet.format.Type.FIXED_LEN_BYTE_ARRAY && element.getType_length() == 16 &&
                    element.isSetLogicalType() && element.getLogicalType().isSetUUID();
            case FIXED -> element.getType() == org.apache.parquet.format.Type.FIXED_LEN_BYTE_ARRAY && element.getType_length() == ((Types.FixedType) type).length() && plain;
            case BINARY -> element.getType() == org.apache.parquet.format.Type.BYTE_ARRAY && plain;
            case DECIMAL -> isDecimal(element, (Types.DecimalType) type);
            // variant, geometry, geography, unknown: bounds and shredding are not understood here
            default -> false;
        };
    }

    private static boolean isSignedInteger(SchemaElement element, int bits, ConvertedType converted)
    {
        return element.isSetLogicalType()
                ? element.getLogicalType().isSetINTEGER() && element.getLogicalType().getINTEGER().getBitWidth() == bits && element.getLogicalType().getINTEGER().isIsSigned()
                : element.getConverted_type() == converted;
    }

    private static Optional<TimeUnit> time(LogicalType type)
    {
        return type.isSetTIME() ? Optional.of(type.getTIME().getUnit()) : Optional.empty();
    }

    private static boolean isMicros(Optional<TimeUnit> unit)
    {
        return unit.isPresent() && unit.get().isSetMICROS();
    }

    private static boolean isTimestamp(SchemaElement element, boolean adjustedToUtc, boolean micros)
    {
        if (!element.isSetLogicalType()) {
            // the older annotation always means adjusted to UTC
            return micros && adjustedToUtc && element.getConverted_type() == ConvertedType.TIMESTAMP_MICROS;
        }
        if (!element.getLogicalType().isSetTIMESTAMP()) {
            return false;
        }
        TimeUnit unit = element.getLogicalType().getTIMESTAMP().getUnit();
        return element.getLogicalType().getTIMESTAMP().isIsAdjustedToUTC() == adjustedToUtc && (micros ? unit.isSetMICROS() : unit.isSetNANOS());
    }

    private static boolean isDecimal(SchemaElement element, Types.DecimalType type)
    {
        boolean annotated = element.isSetLogicalType()
                ? element.getLogicalType().isSetDECIMAL() && element.getLogicalType().getDECIMAL().getPrecision() == type.precision() && element.getLogicalType().getDECIMAL().getScale() == type.scale()
                : element.getConverted_type() == ConvertedType.DECIMAL && element.getPrecision() == type.precision() && element.getScale() == type.scale();
        return annotated && switch (element.getType()) {
            case INT32 -> type.precision() <= 9;
            case INT64 -> type.precision() <= 18;
            case FIXED_LEN_BYTE_ARRAY -> element.getType_length() > 0;
            default -> false;
        };
    }

    private static String describe(ParquetNode node)
    {
        SchemaElement element = node.element();
        String annotation = "";
        if (element.isSetLogicalType()) {
            annotation = element.getLogicalType().isSet() ? " " + element.getLogicalType().getSetField() : " with an unknown annotation";
            Object value = element.getLogicalType().isSet() ? element.getLogicalType().getFieldValue() : "";
            annotation = switch (value) {
                case org.apache.parquet.format.DecimalType decimal -> " DECIMAL(%s,%s)".formatted(decimal.getPrecision(), decimal.getScale());
                case org.apache.parquet.format.IntType integer -> " %s(%s)".formatted(integer.isIsSigned() ? "INT" : "UINT", integer.getBitWidth());
                case org.apache.parquet.format.TimestampType timestamp -> " TIMESTAMP(%s, %s)".formatted(timestamp.getUnit().getSetField(), timestamp.isIsAdjustedToUTC() ? "adjusted to UTC" : "local");
                default -> annotation;
            };
        }
        else if (element.isSetConverted_type()) {
            annotation = " " + element.getConverted_type();
        }
        if (!node.isLeaf()) {
            return "a group of %s%s".formatted(node.children().size(), annotation);
        }
        String length = element.getType() == org.apache.parquet.format.Type.FIXED_LEN_BYTE_ARRAY ? "(%s)".formatted(element.getType_length()) : "";
        return element.getType() + length + annotation;
    }

    private static Mismatch mismatch(CopyObstacle.Reason reason, String format, Object... arguments)
    {
        return new Mismatch(new CopyObstacle(reason, format.formatted(arguments)));
    }

    private static final class Mismatch
            extends Exception
    {
        private final CopyObstacle obstacle;

        private Mismatch(CopyObstacle obstacle)
        {
            super(obstacle.sentence(), null, false, false);
            this.obstacle = obstacle;
        }
    }
}
