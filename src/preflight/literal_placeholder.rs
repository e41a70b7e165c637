//! Placeholders of mail merge programs, which a page would write as they are.

use super::field_name::{is_field, is_identifier, is_in_capitals, is_never_a_word};

/// Words with which instructions in brackets begin, in lower case.
const INSTRUCTS: [&str; 3] = ["insert ", "enter ", "your "];

/// Signs around the names.
struct Syntax {
    open: &'static str,
    close: &'static str,
    /// Which names make a placeholder of them.
    names: Names,
    /// Characters that a name may have beside letters, digits, `_`, `-` and `.`.
    more: &'static str,
}

/// The names that stand between signs in a placeholder alone. Those of fields, and names with `_` inside, always do.
#[derive(Clone, Copy, PartialEq)]
enum Names {
    Any,
    /// Names in capitals.
    Capitals,
    OfFields,
}

const SYNTAXES: &[Syntax] = &[
    // Of Mustache and Handlebars, with filters, blocks and calls.
    Syntax { open: "{{{", close: "}}}", names: Names::Any, more: TEMPLATE },
    Syntax { open: "{{", close: "}}", names: Names::Any, more: TEMPLATE },
    Syntax { open: "${", close: "}", names: Names::Capitals, more: " " },
    // Of Ruby.
    Syntax { open: "#{", close: "}", names: Names::Any, more: "@" },
    Syntax { open: "%{", close: "}", names: Names::Any, more: "" },
    // Of Smarty.
    Syntax { open: "{$", close: "}", names: Names::Any, more: "|:'\"" },
    // Of Salesforce.
    Syntax { open: "{!", close: "}", names: Names::Any, more: " $" },
    // Of Mailchimp.
    Syntax { open: "*|", close: "|*", names: Names::Any, more: ":" },
    Syntax { open: "<<", close: ">>", names: Names::Capitals, more: " " },
    Syntax { open: "<", close: ">", names: Names::OfFields, more: " " },
    Syntax { open: "%", close: "%", names: Names::Capitals, more: "" },
    Syntax { open: "|", close: "|", names: Names::OfFields, more: "" },
    // Of Salesforce Marketing Cloud.
    Syntax { open: "%%", close: "%%", names: Names::Any, more: " " },
    Syntax { open: "%%=", close: "=%%", names: Names::Any, more: " @(),'\"" },
    Syntax { open: "{", close: "}", names: Names::Capitals, more: " :" },
    // Of Jinja, and of ERB and JSP.
    Syntax { open: "{%", close: "%}", names: Names::Any, more: " " },
    Syntax { open: "<%=", close: "%>", names: Names::Any, more: " @" },
    // Of Python.
    Syntax { open: "%(", close: ")s", names: Names::Any, more: "" },
    // Of GOV.UK Notify.
    Syntax { open: "((", close: "))", names: Names::OfFields, more: " " },
    // Of SendGrid and others.
    Syntax { open: "-", close: "-", names: Names::OfFields, more: "" },
    Syntax { open: "#", close: "#", names: Names::OfFields, more: "" },
    Syntax { open: "~", close: "~", names: Names::OfFields, more: "" },
    Syntax { open: "$", close: "$", names: Names::OfFields, more: "" },
    Syntax { open: "@", close: "@", names: Names::OfFields, more: "" },
    // Of Word.
    Syntax { open: "«", close: "»", names: Names::OfFields, more: " " },
    Syntax { open: "[", close: "]", names: Names::OfFields, more: " '’" },
];
/// What names in double braces may have.
const TEMPLATE: &str = " |#/:'\"=()?&>^!~";
/// Signs before such a name.
const BEFORE_NAME: [char; 10] = [' ', '#', '/', '@', '&', '>', '^', '!', '~', '$'];
/// Longest name, in characters.
const LONGEST: usize = 80;

/// The first placeholder of another program in a text. `has_column`: whether there is a field of this name, which is
/// letters and digits in lower case.
pub(crate) fn foreign_placeholder(text: &str, has_column: impl Fn(&str) -> bool) -> Option<&str> {
    let is_known = |name: &str| is_field(name, &has_column);
    let found = SYNTAXES.iter().filter_map(|syntax| {
        let mut places = text.match_indices(syntax.open).map(|(start, _)| start);
        places.find_map(|start| {
            let (name, whole) = syntax.at(text, start)?;
            let is_meant = match syntax.names {
                Names::Any => true,
                Names::Capitals => is_in_capitals(name) || is_identifier(name) || is_known(name),
                Names::OfFields => is_identifier(name) || is_known(name),
            };
            is_meant.then_some((start, whole))
        })
    });
    let others = [of_defaults(text), of_formats(text), bare_name(text), instruction(text)].into_iter().flatten();
    found.chain(others).min_by_key(|(start, whole)| (*start, usize::MAX - whole.len())).map(|(_, whole)| whole)
}

/// The name of a field without signs around it, as in `Mr FirstName` and `@Model.FirstName`, and where it begins.
fn bare_name(text: &str) -> Option<(usize, &str)> {
    let is_of_word = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '@' | '/' | '.' | '-');
    let mut words = text.split(|sign: char| !is_of_word(sign)).map(|word| word.trim_matches(['.', '/', '-']));
    let found = words.find(|word| {
        let last = word.rsplit('.').next().unwrap_or_default();
        let is_code = last.contains('_') || last.starts_with(char::is_uppercase);
        let is_address = word.contains('/') || word.trim_start_matches('@').contains('@');
        is_never_a_word(last) && !is_address && (is_code || last.len() == word.len())
    })?;
    Some((text.find(found)?, found))
}

/// An instruction to the writer in brackets, such as `[insert date]`, and where it begins.
fn instruction(text: &str) -> Option<(usize, &str)> {
    [("[", "]"), ("<", ">"), ("{", "}"), ("(", ")")].iter().find_map(|(open, close)| {
        text.match_indices(open).find_map(|(start, _)| {
            let inside = up_to(text.get(start + 1..)?, close, LONGEST)?;
            let words = inside.to_lowercase();
            // A remark in parentheses may be about "your letter".
            let is_meant = |begin: &&&str| words.starts_with(**begin) && (*open != "(" || **begin == "insert ");
            INSTRUCTS.iter().find(is_meant)?;
            Some((start, text.get(start..start + inside.len() + 2)?))
        })
    })
}

/// A placeholder of our own mail merge with a default, such as `{gift|your kindness}`, and where it begins. A set in
/// mathematics, such as `{x | x > 0}`, has a name of one letter.
fn of_defaults(text: &str) -> Option<(usize, &str)> {
    text.match_indices('{').find_map(|(start, _)| {
        let inside = up_to(text.get(start + 1..)?, "}", LONGEST)?;
        let (name, default) = inside.split_once('|')?;
        let is_name = name.trim().starts_with(char::is_alphabetic)
            && name.trim().chars().count() > 1
            && name.chars().all(|sign| sign.is_alphanumeric() || " _-.".contains(sign));
        let is_default = !default.contains(['{', '|', '\n', '<', '>', '=', '∈']);
        (is_name && is_default).then(|| Some((start, text.get(start..=start + inside.len() + 1)?))).flatten()
    })
}

/// `%s` and `%1$s` of `printf`, and where it begins. Percentages have a digit before the sign.
fn of_formats(text: &str) -> Option<(usize, &str)> {
    text.match_indices('%').find_map(|(start, _)| {
        let after = text.get(start + 1..)?;
        let digits = after.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(after.len());
        let numbered = after.get(digits..)?.strip_prefix('$').filter(|_| digits > 0);
        let is_end = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '%');
        let is_format = |rest: &str| rest.strip_prefix(['s', 'd', '@']).is_some_and(is_end);
        let before = text.get(..start)?;
        let is_free = !before.ends_with(char::is_alphanumeric) && !before.trim_end().ends_with(char::is_numeric);
        let length = match numbered {
            Some(rest) if is_format(rest) => digits + 3,
            None if is_format(after) && is_free => 2,
            _ => return None,
        };
        Some((start, text.get(start..start + length)?))
    })
}

/// What stands before the first `end` in a text, if that comes within `most` characters.
pub(super) fn up_to<'a>(text: &'a str, end: &str, most: usize) -> Option<&'a str> {
    let near = text.char_indices().nth(most + end.len()).map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    near.split_once(end).map(|(before, _)| before)
}

impl Syntax {
    /// The name in a placeholder that begins at `start` of a text, and the placeholder.
    fn at<'a>(&self, text: &'a str, start: usize) -> Option<(&'a str, &'a str)> {
        let from = text.get(start..)?;
        let name = up_to(from.strip_prefix(self.open)?, self.close, LONGEST)?;
        let is_name =
            name.trim_start_matches(BEFORE_NAME).starts_with(|first: char| first.is_alphabetic() || first == '_')
                && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c) || self.more.contains(c));
        let whole = from.get(..self.open.len() + name.len() + self.close.len())?;
        // `first-name-basis` is a word, and addresses have @.
        let touches_word = || {
            let after = from.get(whole.len()..).unwrap_or_default();
            let before = text.get(..start).unwrap_or_default();
            let is_part = |sign: char| sign.is_alphanumeric() || sign == '-';
            before.ends_with(is_part) || after.starts_with(is_part)
        };
        let is_percentage =
            self.open == "%" && text.get(..start).is_some_and(|before| before.trim_end().ends_with(char::is_numeric));
        let is_rare = self.open == "@" || self.open == "-" && name.contains(char::is_lowercase);
        (is_name && !is_percentage && !(is_rare && touches_word())).then_some((name, whole))
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
            "{{{ content }}}",
            "{{{content}}}",
            "{{&first_name}}",
            "{{default(user.name)}}",
            "%DISPLAY_NAME%",
            "%%First Name%%",
            "[MERGE_FIRST_NAME]",
            "[Guest Name]",
            "[Recipient's Name]",
            "[Teacher’s Name]",
            "[Donor]",
            "«AddressBlock»",
            "«GreetingLine»",
            "-name-",
            "-first_name-",
            "#GLOBAL_NAME#",
            "((first name))",
            "((name))",
            "{$name}",
            "{$user.firstname|upper}",
            "{userName}",
            "#{user_name}",
            "%{name}",
            "%(name)s",
            "$FNAME$",
            "@name@",
            "%s",
            "%1$s",
            "{gift|your kindness}",
            "{first_name|}",
            "[Имя]",
            "{prénom}",
            "<Nachname>",
            "%%ORDER%%",
            "%%order id%%",
            "%%=v(@name)=%%",
            "{ORDER}",
            "{ORDER_ID}",
            "{order_id}",
            "%ORDER%",
            "%APPDATA%",
            "${HOME}",
            "[ORDER_ID]",
            "<order_id>",
            "{Contact: First Name}",
            "[Date]",
            "{姓名}",
            "FirstName",
            "@Model.FirstName",
            "{!$Contact.Order}",
            "|FNAME|",
            "[insert date]",
            "(insert name here)",
            "[Your company]",
            "@FirstName",
            "LAST_NAME",
            "first_name",
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
            "*|*",
            "<3",
            "{!}",
            "cout << name << x >> y",
            "[see below]",
            "<grin>",
            "on a first-name-basis",
            "#name #city",
            "5% {off}",
            "~ name ~",
            "the well-name-worthy -nothing- of it, a--name--b",
            "100 %s, 5%s, 5%sure, 100 %d, % s, %sure, %",
            "{x | x > 0}, {n|n=1}, {ab | a < b}, {|}, { |}, {a|b}",
            "((see below)), ((x + 1) * 2), f((name)",
            "{$5}, $5 and $6, $name, a@name@b.example",
            "[see address], [new city], [my own name]",
            "#love#hope#, 50%% off, 20%% now",
            "#{1}, %{2}, %(5)s",
            "«Mon nom est Ann», <my name is Ann>",
            "{x_1}, {a_b}, [sic], [SIC], <WOW>, «OUI», #LOVE#, 100 %OFF%",
            "(your letter came), (enter by the side door), [inserted]",
            "{A}, {Note: bring cake}, [Save the Date], first name, a first-name-basis",
            "firstname@a.example and https://a.example/firstname, %C3%A9",
        ] {
            assert_eq!(foreign_placeholder(text, |_| false), None, "{text}");
        }
    }
}
