//! The names of fields: those of any mail merge, and those that only programs write.

/// Names of fields in any mail merge: letters and digits in lower case.
const USUAL_NAMES: &[&str] = &[
    "name",
    "firstname",
    "lastname",
    "fullname",
    "surname",
    "yourname",
    "fname",
    "lname",
    "displayname",
    "nickname",
    "vorname",
    "nachname",
    "anrede",
    "prenom",
    "prénom",
    "nom",
    "nombre",
    "apellido",
    "apellidos",
    "nome",
    "sobrenome",
    "cognome",
    "voornaam",
    "achternaam",
    "naam",
    "imię",
    "nazwisko",
    "jméno",
    "příjmení",
    "fornavn",
    "etternavn",
    "efternavn",
    "förnamn",
    "efternamn",
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
    "имя",
    "фамилия",
    "姓名",
    "氏名",
    "お名前",
    "이름",
    "성명",
    "date",
    "datum",
    "fecha",
    "telefon",
    "phone",
    "amount",
    "betrag",
    "country",
    "postcode",
    "postalcode",
    "orderid",
    "ordernumber",
    "ordernr",
    "product",
    // Of Word.
    "addressblock",
    "greetingline",
    // Of templates of letters.
    "client",
    "customer",
    "donor",
    "friend",
    "guest",
    "bride",
    "groom",
    "sender",
    "gift",
    "event",
    "signature",
];
/// Those of them that no text has without signs around them, where they are one word.
const NEVER_WORDS: [&str; 6] = ["firstname", "lastname", "fullname", "yourname", "fname", "lname"];

/// Whether a name, or its last words, is one that any mail merge has, or one for which `has_column` is true: that gets it
/// as letters.
pub(super) fn is_field(name: &str, has_column: impl Fn(&str) -> bool) -> bool {
    endings(name).any(|name| USUAL_NAMES.contains(&name.as_str()) || has_column(&name))
}

/// Whether a word names a field even without signs around it.
pub(super) fn is_never_a_word(name: &str) -> bool {
    NEVER_WORDS.contains(&letters(name).as_str())
}

/// Whether a name is a word in capitals, as in `{ORDER}`. `%C3%` are the bytes of a letter.
pub(super) fn is_in_capitals(name: &str) -> bool {
    let is_byte = name.len() == 2 && u8::from_str_radix(name, 16).is_ok();
    name.chars().count() > 1
        && !is_byte
        && name.chars().all(|sign| sign.is_uppercase() || sign.is_ascii_digit() || sign == '_')
}

/// Whether a name has words with `_` between them, as only programs write them: `order_id`.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut words = name.split('_');
    name.contains('_') && words.all(|word| word.chars().count() > 1 && word.chars().all(char::is_alphanumeric))
}

/// A name as letters, and its last words: those of `MERGE_FIRST_NAME` are `firstname` and `name`. Words that spaces part
/// count where all begin in upper case, as in `Guest Name`.
fn endings(name: &str) -> impl Iterator<Item = String> {
    let is_title = name.split(' ').all(|word| word.starts_with(char::is_uppercase));
    let is_end = move |sign: char| !sign.is_alphanumeric() && (sign != ' ' || is_title);
    let humps = name.char_indices().zip(name.chars().skip(1));
    let humps = humps.filter(|((_, one), next)| one.is_lowercase() && next.is_uppercase());
    let humps = humps.map(|((at, one), _)| at + one.len_utf8());
    let signs = name.match_indices(is_end).map(|(at, sign)| at + sign.len());
    let starts: Vec<usize> = std::iter::once(0).chain(humps).chain(signs).collect();
    starts.into_iter().filter_map(|start| name.get(start..)).map(letters)
}

/// The letters and digits of a name in lower case.
pub(crate) fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
