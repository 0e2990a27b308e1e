package searchreplace

var PrintJSON = printJSON
