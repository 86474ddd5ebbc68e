"""The changes of the database, one file each. What was released is never edited."""
