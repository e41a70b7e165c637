//! A span's place: its trace, its id, and the client's span (W3C Trace Context, level 1).

/// The place of a span in its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanContext {
    trace: u128,
    span: u64,
    parent: Option<u64>,
}

/// What a caller says of its own span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parent {
    trace: u128,
    span: u64,
    is_sampled: bool,
}

impl SpanContext {
    /// The place of a new span, below that of the caller where `traceparent` names one, else in a trace of its own.
    /// `None` where it is not to be recorded: the caller does not record its own, or the system has no randomness.
    #[must_use]
    pub fn begin(traceparent: Option<&str>) -> Option<Self> {
        // Zero stands for no span and no trace.
        let span = getrandom::u64().ok()?.max(1);
        if let Some(parent) = traceparent.and_then(Parent::parse) {
            return parent.is_sampled.then_some(Self { trace: parent.trace, span, parent: Some(parent.span) });
        }
        let [high, low] = [getrandom::u64().ok()?, getrandom::u64().ok()?].map(u128::from);
        Some(Self { trace: (high << 64 | low).max(1), span, parent: None })
    }

    /// The trace, in 32 hexadecimal digits.
    #[must_use]
    pub fn trace(&self) -> String {
        format!("{:032x}", self.trace)
    }

    /// The span, in 16 hexadecimal digits.
    pub(super) fn span(&self) -> String {
        format!("{:016x}", self.span)
    }

    /// The caller's span, in 16 hexadecimal digits.
    pub(super) fn parent(&self) -> Option<String> {
        self.parent.map(|parent| format!("{parent:016x}"))
    }
}

impl Parent {
    /// Reads `version-trace-span-flags`; whatever is not exactly that is no parent. A version of the future may say more
    /// behind a further `-`.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let version = digits(parts.next()?, 2)?;
        let (trace, span) = (digits(parts.next()?, 32)?, digits(parts.next()?, 16)?);
        let flags = digits(parts.next()?, 2)?;
        let is_known = version != 0xff && (version > 0 || parts.next().is_none());
        let span = u64::try_from(span).ok()?;
        (is_known && trace != 0 && span != 0).then_some(Self { trace, span, is_sampled: flags & 1 == 1 })
    }
}

/// A number of exactly so many lower-case hexadecimal digits.
fn digits(text: &str, number: usize) -> Option<u128> {
    let is_lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == number && text.bytes().all(is_lower)).then(|| u128::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn a_callers_span_is_the_parent_and_its_choice_to_record_holds() {
        let context = SpanContext::begin(Some(&format!("00-{TRACE}-{SPAN}-01"))).unwrap();
        assert_eq!((context.trace().as_str(), context.parent().as_deref()), (TRACE, Some(SPAN)));
        assert_ne!(context.span(), SPAN);
        assert_eq!(SpanContext::begin(Some(&format!("00-{TRACE}-{SPAN}-00"))), None);
        assert!(SpanContext::begin(Some(&format!("01-{TRACE}-{SPAN}-03-more"))).unwrap().parent().is_some());
    }

    #[test]
    fn whatever_is_no_traceparent_is_no_parent() {
        let upper = TRACE.to_uppercase();
        for text in [
            String::new(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{upper}-{SPAN}-01"),
            format!("00-{}-{SPAN}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{TRACE}a-{SPAN}-01"),
            format!("00-{TRACE}-+{}-01", &SPAN[1..]),
            format!("00-{TRACE}-é{}-01", &SPAN[2..]),
        ] {
            let context = SpanContext::begin(Some(&text)).unwrap();
            assert_eq!((context.parent(), context.trace() == TRACE), (None, false), "{text}");
        }
    }

    #[test]
    fn spans_without_a_caller_have_traces_of_their_own() {
        let [first, second] = [(); 2].map(|()| SpanContext::begin(None).unwrap());
        assert_eq!((first.trace().len(), first.span().len(), first.parent()), (32, 16, None));
        assert!(first.trace() != second.trace() && first.span() != second.span());
    }
}
