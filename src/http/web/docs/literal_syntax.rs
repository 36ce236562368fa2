//! Writes a JSON value as a literal of a programming language. A value that fits on one line, such as a pair of coordinates, is written on
//! one line.

use serde_json::Value;

/// An object or a list is written on one line if that line, with its indent, has at most this many bytes.
const MAX_LINE: usize = 58;

/// How a programming language writes values.
pub(super) struct LiteralSyntax {
    indent: &'static str,
    object_brackets: (&'static str, &'static str),
    /// The space within the brackets of an object that is on one line.
    padding: &'static str,
    name: fn(&str) -> String,
    /// The text between a name and its value.
    name_separator: &'static str,
    string: fn(&str) -> String,
    /// `null`, `false` and `true`.
    words: [&'static str; 3],
    /// The text after the last part of an object or a list, if each part has its own line.
    trailing_comma: &'static str,
}

pub(super) const JSON: LiteralSyntax = LiteralSyntax {
    indent: "  ",
    object_brackets: ("{", "}"),
    padding: " ",
    name: json_string,
    name_separator: ": ",
    string: json_string,
    words: ["null", "false", "true"],
    trailing_comma: "",
};

pub(super) const JAVASCRIPT: LiteralSyntax = LiteralSyntax {
    name: javascript_name,
    trailing_comma: ",",
    ..JSON
};

pub(super) const PHP: LiteralSyntax = LiteralSyntax {
    indent: "    ",
    object_brackets: ("[", "]"),
    padding: "",
    name: php_string,
    name_separator: " => ",
    string: php_string,
    trailing_comma: ",",
    ..JSON
};

pub(super) const PYTHON: LiteralSyntax = LiteralSyntax {
    indent: "    ",
    padding: "",
    words: ["None", "False", "True"],
    trailing_comma: ",",
    ..JSON
};

impl LiteralSyntax {
    pub(super) fn write(&self, value: &Value) -> String {
        self.write_at(value, 0)
    }

    fn write_at(&self, value: &Value, depth: usize) -> String {
        match value {
            Value::Null => self.words[0].to_owned(),
            Value::Bool(value) => self.words[1 + usize::from(*value)].to_owned(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => (self.string)(text),
            Value::Array(items) if items.is_empty() => "[]".to_owned(),
            Value::Object(fields) if fields.is_empty() => {
                format!("{}{}", self.object_brackets.0, self.object_brackets.1)
            }
            Value::Array(items) => {
                let items = items.iter().map(|item| self.write_at(item, depth + 1));
                self.wrap(("[", "]"), "", &items.collect::<Vec<_>>(), depth)
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| {
                    let value = self.write_at(value, depth + 1);
                    format!("{}{}{value}", (self.name)(name), self.name_separator)
                });
                self.wrap(
                    self.object_brackets,
                    self.padding,
                    &fields.collect::<Vec<_>>(),
                    depth,
                )
            }
        }
    }

    /// Puts the parts between the two brackets. If they do not fit on one line, each part is on its own line.
    fn wrap(
        &self,
        (open, close): (&str, &str),
        padding: &str,
        parts: &[String],
        depth: usize,
    ) -> String {
        let line = format!("{open}{padding}{}{padding}{close}", parts.join(", "));
        let indent = self.indent.repeat(depth);
        if line.len() + indent.len() <= MAX_LINE && !line.contains('\n') {
            return line;
        }
        let lines = parts
            .iter()
            .map(|part| format!("{indent}{}{part}", self.indent));
        let lines = lines.collect::<Vec<_>>().join(",\n");
        format!("{open}\n{lines}{}\n{indent}{close}", self.trailing_comma)
    }
}

/// Writes a name without quotes if it needs none.
fn javascript_name(name: &str) -> String {
    match name.chars().all(|c| c.is_ascii_alphabetic()) {
        true => name.to_owned(),
        false => json_string(name),
    }
}

fn json_string(text: &str) -> String {
    Value::from(text).to_string()
}

pub(super) fn php_string(text: &str) -> String {
    format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_language_writes_values_in_its_own_way() {
        let value = json!({ "a": [1, null, true], "b-c": "'t \"Hoekje\"" });
        let case =
            |syntax: &LiteralSyntax, expected: &str| assert_eq!(syntax.write(&value), expected);
        case(
            &JAVASCRIPT,
            r#"{ a: [1, null, true], "b-c": "'t \"Hoekje\"" }"#,
        );
        case(&PHP, r#"['a' => [1, null, true], 'b-c' => '\'t "Hoekje"']"#);
        case(&JSON, r#"{ "a": [1, null, true], "b-c": "'t \"Hoekje\"" }"#);
        case(&PYTHON, r#"{"a": [1, None, True], "b-c": "'t \"Hoekje\""}"#);
    }

    #[test]
    fn a_long_value_has_a_line_for_each_part() {
        let value = json!({ "street": "Waldeck Pyrmontsingel", "city": "Nijmegen", "number": 29 });
        assert_eq!(
            JAVASCRIPT.write(&value),
            "{\n  street: \"Waldeck Pyrmontsingel\",\n  city: \"Nijmegen\",\n  number: 29,\n}"
        );
        assert_eq!(
            serde_json::from_str::<Value>(&JSON.write(&value)).ok(),
            Some(value)
        );
        assert_eq!(JSON.write(&json!([[], {}])), "[[], {}]");
    }
}
