//! What all keys used in a month, as a table, CSV or JSON.

use super::{Failure, KeyPlace, json_line, state_in_words};
use crate::access::{KeyUse, UsageReport};

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportForm {
    /// A table for people, with a line for the sum.
    Text,
    /// A line of titles, and a line for each key.
    Csv,
    /// One line.
    Json,
}

/// The titles of the CSV file.
const TITLES: [&str; 6] = ["month", "id", "name", "monthly_quota", "used", "state"];

/// The text of a report, without its last line break. There is no report where there is no store.
pub(super) fn print(report: Option<&UsageReport>, form: ReportForm, place: KeyPlace<'_>) -> Result<String, Failure> {
    let keys = report.map(|report| report.keys.as_slice()).unwrap_or_default();
    match form {
        ReportForm::Csv => csv(keys),
        ReportForm::Json => json_line(&serde_json::json!({ "keys": keys })),
        ReportForm::Text => Ok(match report {
            Some(report) if !keys.is_empty() => text(report),
            Some(report) => format!("No key of {place} used anything in {}.", report.month),
            None => format!("No keys in {place}. `longhand keys create --name NAME` makes one."),
        }),
    }
}

fn csv(keys: &[KeyUse]) -> Result<String, Failure> {
    let failed = Failure::internal("no CSV");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(TITLES).map_err(&failed)?;
    for key in keys {
        let quota = key.monthly_quota.map(|quota| quota.to_string()).unwrap_or_default();
        let used = key.used.to_string();
        let row = [&key.month, &key.id, &key.name, &quota, &used, state_in_words(key.active)];
        writer.write_record(row).map_err(&failed)?;
    }
    let bytes = writer.into_inner().map_err(Failure::internal("no CSV"))?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

fn text(UsageReport { month, keys }: &UsageReport) -> String {
    let width = keys.iter().map(|key| key.name.chars().count()).fold("NAME".len(), usize::max);
    let row = |[id, name, state, used, quota]: [&str; 5]| {
        format!("{id:36}  {name:width$}  {state:7}  {used:>12}  {quota:>13}")
    };
    let used_in = format!("USED {month}");
    let mut rows = vec![row(["ID", "NAME", "STATE", &used_in, "MONTHLY QUOTA"])];
    rows.extend(keys.iter().map(|key| {
        let quota = key.monthly_quota.map_or_else(|| "none".to_owned(), |quota| quota.to_string());
        row([&key.id, &key.name, state_in_words(key.active), &key.used.to_string(), &quota])
    }));
    let sum: u64 = keys.iter().map(|key| key.used).sum();
    rows.push(row(["all", "", "", &sum.to_string(), ""]).trim_end().to_owned());
    rows.join("\n")
}
