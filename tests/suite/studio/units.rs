//! Unit tests of the studio's scripts.

use serde_json::json;

use crate::oracle::ask;

#[test]
fn the_scripts_of_the_page_pass_their_own_tests() {
    let tested = ask("studio_units.py", &json!({}));
    assert_eq!(tested["failed"], 0, "{}", tested["said"].as_str().unwrap());
    assert!(tested["passed"].as_u64() >= Some(19), "{tested}");
}
