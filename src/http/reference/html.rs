//! Text as HTML.

use serde_json::Value;

/// `text` with the characters that mean something in HTML written as references.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One line of text in which backquotes enclose code.
pub(super) fn inline(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces.map(|(n, piece)| if n % 2 == 1 { code(piece) } else { escaped(piece) }).collect()
}

/// `text` as code.
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Paragraphs that empty lines part.
pub(super) fn paragraphs(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(|text| format!("<p>{}</p>", inline(text))).collect();
    paragraphs.join("\n")
}

/// A JSON value on as many lines as it needs, folded behind `summary`.
pub(super) fn example(summary: &str, value: &Value) -> String {
    let json = serde_json::to_string_pretty(value).unwrap_or_default();
    format!("<details><summary>{}</summary><pre><code>{}</code></pre></details>\n", inline(summary), escaped(&json))
}

/// A table with these column heads; the first cell of a row is its head.
pub(super) fn table(caption: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    let heads: Vec<String> = heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let rows: String = rows.iter().map(|cells| row(cells)).collect();
    format!(
        "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\
         <table><caption>{0}</caption><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table></div>\n",
        escaped(caption),
        heads = heads.concat()
    )
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells
        .iter()
        .enumerate()
        .map(|(n, cell)| if n == 0 { format!("<th scope=\"row\">{cell}</th>") } else { format!("<td>{cell}</td>") })
        .collect();
    format!("<tr>{}</tr>\n", cells.concat())
}

/// The string, or nothing.
pub(super) fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backquotes_become_code_and_nothing_becomes_markup() {
        assert_eq!(inline("a `<b>` & \"c\""), "a <code>&lt;b&gt;</code> &amp; &quot;c&quot;");
    }

    #[test]
    fn empty_lines_part_paragraphs() {
        assert_eq!(paragraphs("a\n\nb"), "<p>a</p>\n<p>b</p>");
    }
}
