"""Asking: questions of a bank, put to an examinee directly or in batches, every reply stored."""
