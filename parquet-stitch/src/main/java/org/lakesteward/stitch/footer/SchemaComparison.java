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

import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Whether pages under one schema mean the same under another. The root's name means nothing, and it does not matter which of
 * the two forms an annotation is written in.
 */
public final class SchemaComparison
{
    private SchemaComparison() {}

    /**
     * @return in words how the second schema differs from the first; empty when it does not
     */
    public static Optional<String> difference(List<SchemaElement> target, List<SchemaElement> schema)
    {
        for (int index = 0; index < Math.min(target.size(), schema.size()); index++) {
            SchemaElement wanted = target.get(index);
            SchemaElement found = schema.get(index);
            if (wanted.getNum_children() != found.getNum_children()) {
                return Optional.of("%s has %s fields instead of %s".formatted(index == 0 ? "its root" : found.getName(), found.getNum_children(), wanted.getNum_children()));
            }
            if (index == 0) {
                continue;
            }
            Optional<String> difference = difference(wanted, found);
            if (difference.isPresent()) {
                return difference;
            }
        }
        if (target.size() != schema.size()) {
            return Optional.of("it has %s elements instead of %s".formatted(schema.size(), target.size()));
        }
        return Optional.empty();
    }

    private static Optional<String> difference(SchemaElement wanted, SchemaElement found)
    {
        if (!wanted.getName().equals(found.getName())) {
            return Optional.of("%s stands where %s should".formatted(found.getName(), wanted.getName()));
        }
        if (fieldId(wanted) != fieldId(found)) {
            return Optional.of("%s has field id %s instead of %s".formatted(found.getName(), fieldId(found), fieldId(wanted)));
        }
        if (wanted.getRepetition_type() != found.getRepetition_type()) {
            return Optional.of("%s is %s instead of %s".formatted(found.getName(), found.getRepetition_type(), wanted.getRepetition_type()));
        }
        if (wanted.getType() != found.getType() || wanted.getType() == Type.FIXED_LEN_BYTE_ARRAY && wanted.getType_length() != found.getType_length()) {
            return Optional.of("%s is %s instead of %s".formatted(found.getName(), typeName(found), typeName(wanted)));
        }
        if (!Objects.equals(Annotation.of(wanted), Annotation.of(found))) {
            return Optional.of("%s means %s instead of %s".formatted(found.getName(), annotationName(found), annotationName(wanted)));
        }
        return Optional.empty();
    }

    private static int fieldId(SchemaElement element)
    {
        return element.isSetField_id() ? element.getField_id() : -1;
    }

    private static String typeName(SchemaElement element)
    {
        if (!element.isSetType()) {
            return "a group";
        }
        return element.getType() == Type.FIXED_LEN_BYTE_ARRAY ? "%s(%s)".formatted(element.getType(), element.getType_length()) : element.getType().toString();
    }

    private static String annotationName(SchemaElement element)
    {
        if (element.isSetLogicalType()) {
            return element.getLogicalType().toString();
        }
        return element.isSetConverted_type() ? element.getConverted_type().toString() : "nothing particular";
    }
}
