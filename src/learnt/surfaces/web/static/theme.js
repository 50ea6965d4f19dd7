// The theme that was chosen, before anything is painted: "light", "dark", or the system's.
"use strict";
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
