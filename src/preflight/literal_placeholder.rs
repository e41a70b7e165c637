//! Placeholders of mail merge programs, which a page would write as they are.

/// Names of fields in any mail merge: letters and digits in lower case.
const USUAL_NAMES: [&str; 29] = [
    "name",
    "firstname",
    "lastname",
    "fullname",
    "surname",
    "yourname",
    "fname",
    "lname",
    "vorname",
    "nachname",
    "anrede",
    "prenom",
    "prénom",
    "nombre",
    "apellido",
    "apellidos",
    "cognome",
    "city",
    "address",
    "company",
    "recipient",
    "email",
    "ort",
    "plz",
    "strasse",
    "street",
    "zip",
    "ville",
    "salutation",
];

/// Signs around the names.
struct Syntax {
    open: &'static str,
    close: &'static str,
    /// Whether any name makes a placeholder of them. Texts have the others as well.
    is_sure: bool,
    /// Characters that a name may have beside letters, digits, `_`, `-` and `.`.
    more: &'static str,
}

const SYNTAXES: [Syntax; 15] = [
    // Of Mustache, with filters and blocks.
    Syntax { open: "{{", close: "}}", is_sure: true, more: " |#/:'\"" },
    Syntax { open: "${", close: "}", is_sure: false, more: " " },
    // Of Salesforce.
    Syntax { open: "{!", close: "}", is_sure: true, more: " " },
    // Of Mailchimp.
    Syntax { open: "*|", close: "|*", is_sure: true, more: ":" },
    Syntax { open: "<<", close: ">>", is_sure: false, more: " " },
    Syntax { open: "<", close: ">", is_sure: false, more: " " },
    Syntax { open: "%", close: "%", is_sure: false, more: "" },
    Syntax { open: "{", close: "}", is_sure: false, more: " " },
    // Of Jinja, and of ERB and JSP.
    Syntax { open: "{%", close: "%}", is_sure: true, more: " " },
    Syntax { open: "<%=", close: "%>", is_sure: true, more: " @" },
    // Of SendGrid and others.
    Syntax { open: "-", close: "-", is_sure: false, more: "" },
    Syntax { open: "#", close: "#", is_sure: false, more: "" },
    Syntax { open: "~", close: "~", is_sure: false, more: "" },
    // Of Word.
    Syntax { open: "«", close: "»", is_sure: false, more: " " },
    Syntax { open: "[", close: "]", is_sure: false, more: " " },
];
/// Longest name, in characters.
const LONGEST: usize = 80;

/// The first placeholder of another program in a text. `has_column`: whether there is a field of this name, which is
/// letters and digits in lower case.
pub(crate) fn foreign_placeholder(text: &str, has_column: impl Fn(&str) -> bool) -> Option<&str> {
    let is_known = |name: &str| {
        // The last part of `contact.firstname`.
        let last = letters(name.rsplit('.').next().unwrap_or(name));
        [letters(name), last].iter().any(|name| USUAL_NAMES.contains(&name.as_str()) || has_column(name))
    };
    let found = SYNTAXES.iter().filter_map(|syntax| {
        let mut places = text.match_indices(syntax.open).map(|(start, _)| start);
        places.find_map(|start| {
            let (name, whole) = syntax.at(text.get(start..)?)?;
            (syntax.is_sure || is_known(name)).then_some((start, whole))
        })
    });
    found.min_by_key(|(start, whole)| (*start, usize::MAX - whole.len())).map(|(_, whole)| whole)
}

/// What stands before the first `end` in a text, if that comes within `most` characters.
pub(super) fn up_to<'a>(text: &'a str, end: &str, most: usize) -> Option<&'a str> {
    let near = text.char_indices().nth(most + end.len()).map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    near.split_once(end).map(|(before, _)| before)
}

/// The letters and digits of a name in lower case.
pub(crate) fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Syntax {
    /// The name in a placeholder with which a text begins, and the placeholder.
    fn at<'a>(&self, text: &'a str) -> Option<(&'a str, &'a str)> {
        let name = up_to(text.strip_prefix(self.open)?, self.close, LONGEST)?;
        let is_name = name
            .trim_start_matches([' ', '#', '/', '@'])
            .starts_with(|first: char| first.is_alphabetic() || first == '_')
            && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c) || self.more.contains(c));
        // `first-name-basis` is a word.
        let is_word = self.open == "-" && name.contains(char::is_lowercase);
        let whole = text.get(..self.open.len() + name.len() + self.close.len())?;
        (is_name && !is_word).then_some((name, whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_other_programs_are_found() {
        for found in [
            "{{name}}",
            "{{ contact.firstname }}",
            "{{first_name | default: 'friend'}}",
            "{{#if paid}}",
            "{name}",
            "${user.name}",
            "{!Contact.FirstName}",
            "*|FNAME|*",
            "*|MC:SUBJECT|*",
            "«Vorname»",
            "«gift_of_ann»",
            "%FIRSTNAME%",
            "<<Name>>",
            "<Name>",
            "[First Name]",
            "{contact.firstname}",
            "{% name %}",
            "<%= @user.name %>",
            "#name#",
            "-FIRSTNAME-",
            "~Contact.FirstName~",
            "«Ort»",
        ] {
            let text = format!("Dear {found},\nthank you");
            assert_eq!(foreign_placeholder(&text, |name| name == "giftofann"), Some(found));
        }
    }

    #[test]
    fn what_stands_in_brackets_otherwise_is_no_placeholder() {
        for text in [
            "$5 {each}",
            "100 % of 5 %",
            "50%off%",
            "«Bonjour»",
            "<< Bonjour >>",
            "[sic]",
            "{ }",
            "a <b> c",
            "1 << 2 >> 3",
            "{1}",
            "{{1, 2}, {3}}",
            "{{a}, {b}}",
            "${5}",
            "${HOME}",
            "*|*",
            "<3",
            "{!}",
            "%APPDATA%",
            "cout << name << x >> y",
            "[see below]",
            "<grin>",
            "on a first-name-basis",
            "#name #city",
            "5% {off}",
            "~ name ~",
        ] {
            assert_eq!(foreign_placeholder(text, |_| false), None, "{text}");
        }
    }
}
