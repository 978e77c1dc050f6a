/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.lakesteward.stitch.footer;

import org.apache.parquet.format.BsonType;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.EnumType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.JsonType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.MilliSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What a schema element means beyond its physical type, whichever of the two ways it is said in: the converted types of old and
 * the logical types that replaced them map to each other (LogicalTypes.md, "backward compatibility").
 *
 * @param logicalType the logical type, given or derived
 * @param onlyConverted a converted type for which no logical type exists, which is INTERVAL
 */
public record Annotation(Optional<LogicalType> logicalType, Optional<ConvertedType> onlyConverted)
{
    private static final Annotation NONE = new Annotation(Optional.empty(), Optional.empty());

    public Annotation
    {
        requireNonNull(logicalType, "logicalType is null");
        requireNonNull(onlyConverted, "onlyConverted is null");
    }

    /**
     * @return empty when the element's annotation is not known to this version, or its two forms say different things
     */
    public static Optional<Annotation> of(SchemaElement element)
    {
        ConvertedType converted = element.isSetConverted_type() ? element.getConverted_type() : null;
        if (converted == ConvertedType.INTERVAL && (!element.isSetLogicalType() || element.getLogicalType().isSetUNKNOWN())) {
            // parquet-mr writes UNKNOWN beside it
            return Optional.of(new Annotation(Optional.empty(), Optional.of(converted)));
        }
        if (element.isSetLogicalType()) {
            LogicalType logical = element.getLogicalType();
            if (!logical.isSet() || converted != null && !saysTheSame(logical, converted)) {
                return Optional.empty();
            }
            return Optional.of(new Annotation(Optional.of(logical), Optional.empty()));
        }
        if (converted == null) {
            return Optional.of(NONE);
        }
        return switch (converted) {
            // on the repeated group of a map it says nothing that the group around it does not
            case MAP_KEY_VALUE -> Optional.of(element.getRepetition_type() == FieldRepetitionType.REPEATED ? NONE : of(LogicalType.MAP(new MapType())));
            default -> Optional.of(of(toLogicalType(converted, element)));
        };
    }

    private static Annotation of(LogicalType logicalType)
    {
        return new Annotation(Optional.of(logicalType), Optional.empty());
    }

    private static boolean saysTheSame(LogicalType logical, ConvertedType converted)
    {
        return switch (converted) {
            case UTF8 -> logical.isSetSTRING();
            case MAP, MAP_KEY_VALUE -> logical.isSetMAP();
            case LIST -> logical.isSetLIST();
            case ENUM -> logical.isSetENUM();
            case DECIMAL -> logical.isSetDECIMAL();
            case DATE -> logical.isSetDATE();
            case TIME_MILLIS -> logical.isSetTIME() && logical.getTIME().getUnit().isSetMILLIS();
            case TIME_MICROS -> logical.isSetTIME() && logical.getTIME().getUnit().isSetMICROS();
            // also written for local timestamps, by parquet-mr
            case TIMESTAMP_MILLIS -> logical.isSetTIMESTAMP() && logical.getTIMESTAMP().getUnit().isSetMILLIS();
            case TIMESTAMP_MICROS -> logical.isSetTIMESTAMP() && logical.getTIMESTAMP().getUnit().isSetMICROS();
            case UINT_8 -> isInteger(logical, 8, false);
            case UINT_16 -> isInteger(logical, 16, false);
            case UINT_32 -> isInteger(logical, 32, false);
            case UINT_64 -> isInteger(logical, 64, false);
            case INT_8 -> isInteger(logical, 8, true);
            case INT_16 -> isInteger(logical, 16, true);
            case INT_32 -> isInteger(logical, 32, true);
            case INT_64 -> isInteger(logical, 64, true);
            case JSON -> logical.isSetJSON();
            case BSON -> logical.isSetBSON();
            case INTERVAL -> false;
        };
    }

    private static boolean isInteger(LogicalType logical, int width, boolean signed)
    {
        return logical.isSetINTEGER() && logical.getINTEGER().getBitWidth() == width && logical.getINTEGER().isIsSigned() == signed;
    }

    private static LogicalType toLogicalType(ConvertedType converted, SchemaElement element)
    {
        return switch (converted) {
            case UTF8 -> LogicalType.STRING(new StringType());
            case MAP, MAP_KEY_VALUE -> LogicalType.MAP(new MapType());
            case LIST -> LogicalType.LIST(new ListType());
            case ENUM -> LogicalType.ENUM(new EnumType());
            case DECIMAL -> LogicalType.DECIMAL(new DecimalType(element.isSetScale() ? element.getScale() : 0, element.getPrecision()));
            case DATE -> LogicalType.DATE(new DateType());
            case TIME_MILLIS -> LogicalType.TIME(new TimeType(true, TimeUnit.MILLIS(new MilliSeconds())));
            case TIME_MICROS -> LogicalType.TIME(new TimeType(true, TimeUnit.MICROS(new MicroSeconds())));
            case TIMESTAMP_MILLIS -> LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MILLIS(new MilliSeconds())));
            case TIMESTAMP_MICROS -> LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MICROS(new MicroSeconds())));
            case UINT_8 -> LogicalType.INTEGER(new IntType((byte) 8, false));
            case UINT_16 -> LogicalType.INTEGER(new IntType((byte) 16, false));
            case UINT_32 -> LogicalType.INTEGER(new IntType((byte) 32, false));
            case UINT_64 -> LogicalType.INTEGER(new IntType((byte) 64, false));
            case INT_8 -> LogicalType.INTEGER(new IntType((byte) 8, true));
            case INT_16 -> LogicalType.INTEGER(new IntType((byte) 16, true));
            case INT_32 -> LogicalType.INTEGER(new IntType((byte) 32, true));
            case INT_64 -> LogicalType.INTEGER(new IntType((byte) 64, true));
            case JSON -> LogicalType.JSON(new JsonType());
            case BSON -> LogicalType.BSON(new BsonType());
            case INTERVAL -> throw new IllegalArgumentException("INTERVAL has no logical type");
        };
    }
}
