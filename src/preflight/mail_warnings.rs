//! Warnings about a mail piece: figures that are not certain, and margins that it raised.

use crate::spec::{MailUse, RaisedMargin, RenderSpec};
use crate::warning::{Warning, WarningKind};

/// The warnings about the mail piece of a page; none without one.
pub(crate) fn mail_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let Some(MailUse { piece, raised }) = &spec.mail_piece else { return Vec::new() };
    let uncertain = (!piece.verified).then(|| {
        let text = format!(
            "the figures of '{}' are not certain ({}); compare them with the template of {} before you print",
            piece.name, piece.source, piece.provider
        );
        Warning::about(WarningKind::MailPieceUnverified, "mail_piece", &text)
    });
    let raised = raised.iter().map(|RaisedMargin { field, asked, raised }| {
        let (asked, raised) = (asked.get(), raised.get());
        let text = format!("{asked} px is less than '{}' keeps clear; raised to {raised} px", piece.name);
        Warning::about(WarningKind::MarginsRaised, *field, &text)
    });
    uncertain.into_iter().chain(raised).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::spec::{Endpoint, parse_value};

    fn messages(request: &Value) -> Vec<String> {
        let spec = parse_value(request, Endpoint::Generate, || 1).unwrap();
        mail_warnings(&spec)
            .into_iter()
            .map(|warning| format!("{}: {}", warning.kind.name(), warning.message))
            .collect()
    }

    #[test]
    fn only_what_is_uncertain_or_changed_is_told() {
        let with = |piece: &str, left: u32| messages(&json!({"text": "x", "mail_piece": piece, "margin_left": left}));
        assert_eq!(with("lob_postcard_6x9_back", 38), Vec::<String>::new());
        let raised = with("lob_postcard_6x9_back", 37);
        assert_eq!(raised.len(), 1, "{raised:?}");
        assert!(
            raised[0].starts_with("margins_raised: margin_left: 37 px") && raised[0].ends_with("to 38 px"),
            "{raised:?}"
        );
        let uncertain = with("lob_letter", 60);
        assert!(
            uncertain.len() == 1 && uncertain[0].starts_with("mail_piece_unverified: mail_piece: "),
            "{uncertain:?}"
        );
        assert_eq!(messages(&json!({"text": "x"})), Vec::<String>::new());
    }
}
