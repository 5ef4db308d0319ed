"""One file per examinee scheme; each registers its factory."""
