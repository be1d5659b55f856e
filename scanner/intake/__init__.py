"""What a path holds: photos in files, folders, zips and PDFs, each with a name that leads back to its bytes."""
