//! Unit tests of `store::sqlite::lock`.

#![allow(clippy::unwrap_used)]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::*;

#[test]
fn every_spelling_of_the_path_leads_to_one_lock() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quizhall.db");
    fs::write(&file, "").unwrap();
    let (link, nested) = (folder.path().join("link.db"), folder.path().join("nested"));
    fs::create_dir(folder.path().join("inner")).unwrap();
    symlink(&file, &link).unwrap();
    symlink(folder.path(), &nested).unwrap();
    let held = ServiceLock::try_take(&file).unwrap();
    for other in [file.clone(), link, nested.join("quizhall.db"), folder.path().join("inner/../quizhall.db")] {
        let refused = ServiceLock::try_take(&other).unwrap_err().to_string();
        assert!(refused.contains("another service"), "{other:?}: {refused}");
    }
    ServiceLock::try_take(&folder.path().join("other.db")).unwrap();
    drop(held);
    ServiceLock::try_take(&file).unwrap();
    let mode = fs::metadata(folder.path().join("quizhall.db.lock")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
