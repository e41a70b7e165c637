//! A link that the studio makes, opened by somebody without a key in a real browser.

use serde_json::json;

use crate::live::server::Server;
use crate::oracle::ask;

#[test]
fn a_link_of_the_studio_shows_its_pages_to_somebody_without_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--client-links", "on"]);
    let shots = std::env::var_os("LONGHAND_SCREENSHOTS").map(std::path::PathBuf::from);
    let place = shots.unwrap_or_else(|| folder.path().to_owned());
    let address = format!("http://{}", server.address);
    let seen = ask("shared_link.py", &json!({"address": address, "key": server.key, "folder": place}));
    assert_eq!((&seen["axe"], &seen["complaints"]), (&json!([]), &json!([])));
    let said = seen["said"].as_str().unwrap();
    assert!(said.contains("Everyone with the link sees this page, and nothing else, until"), "{said}");
    for name in ["desktop", "dark", "phone"] {
        let opened = &seen[name];
        assert_eq!(
            (&opened["axe"], &opened["complaints"], &opened["sent"]),
            (&json!([]), &json!([]), &json!([])),
            "{name}"
        );
        assert_eq!((&opened["wide"], &opened["size"][0]), (&json!(0), &json!(1200)), "{name}");
        let [first, turned] = [&opened["count"], &opened["turned"]].map(|count| count.as_str().unwrap());
        assert!(first.starts_with("Page 1 of") && turned.starts_with("Page 2 of"), "{name}: {first} {turned}");
    }
    let ended = "This link has expired or is incomplete. Ask the sender for a new one.";
    assert_eq!(seen["damaged"], json!([ended, ended]));
    let (log, link) = (server.log(), seen["link"].as_str().unwrap());
    assert!(!log.contains(&link[link.len() - 40..]) && !log.contains("flowers"), "{log}");
}
