//! The hidden rows of a sheet of a workbook, such as those that a filter hides.

use std::io::{BufReader, Cursor};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

/// The parts of a workbook.
type Parts<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// The numbers of the hidden rows of a sheet, from 1; none where the workbook cannot be read.
pub(crate) fn hidden_rows(bytes: &[u8], sheet: &str) -> Vec<usize> {
    let Ok(mut parts) = ZipArchive::new(Cursor::new(bytes)) else { return Vec::new() };
    let Some(path) = path_of(&mut parts, sheet) else { return Vec::new() };
    let (mut number, mut hidden) = (0, Vec::new());
    for_each_element(&mut parts, &path, "row", |row| {
        // Programs may leave the numbers out.
        number = value(row, "r").and_then(|number| number.parse().ok()).unwrap_or(number + 1);
        if value(row, "hidden").is_some_and(|hidden| hidden == "1" || hidden == "true") {
            hidden.push(number);
        }
    });
    hidden
}

/// Where a sheet is (ECMA-376 part 1, 18.2.19, and part 2, 6.5.3.4).
fn path_of(parts: &mut Parts<'_>, sheet: &str) -> Option<String> {
    let mut relation = None;
    for_each_element(parts, "xl/workbook.xml", "sheet", |element| {
        if value(element, "name").as_deref() == Some(sheet) {
            relation = value(element, "id");
        }
    });
    let mut path = None;
    for_each_element(parts, "xl/_rels/workbook.xml.rels", "Relationship", |element| {
        if relation.is_some() && value(element, "Id") == relation {
            path = value(element, "Target");
        }
    });
    let path = path?;
    Some(path.strip_prefix('/').map_or_else(|| format!("xl/{path}"), str::to_owned))
}

/// Visits the elements of a name in a part of the workbook, as far as it can be read.
fn for_each_element(parts: &mut Parts<'_>, path: &str, name: &str, mut visit: impl FnMut(&BytesStart<'_>)) {
    let Ok(part) = parts.by_name(path) else { return };
    let (mut reader, mut buffer) = (Reader::from_reader(BufReader::new(part)), Vec::new());
    loop {
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(element) | Event::Empty(element)) if element.local_name().as_ref() == name => {
                visit(&element);
            }
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
        buffer.clear();
    }
}

/// The value of an attribute, whatever its namespace.
fn value(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = element.attributes().flatten();
    let attribute = attributes.find(|attribute| attribute.key.local_name().as_ref() == name)?;
    attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}
