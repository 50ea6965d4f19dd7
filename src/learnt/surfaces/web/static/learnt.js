// The theme's switch, and what is new while a page is open. Every page works without this.
"use strict";

const root = document.documentElement;
const themes = ["system", "light", "dark"];
const themeSwitch = document.querySelector("[data-theme-switch]");

function showTheme() {
  themeSwitch.textContent = "Theme: " + (root.dataset.theme || "system");
}

if (themeSwitch) {
  themeSwitch.hidden = false;
  showTheme();
  themeSwitch.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "system") + 1) % themes.length];
    if (next === "system") {
      delete root.dataset.theme;
      localStorage.removeItem("theme");
    } else {
      root.dataset.theme = next;
      localStorage.setItem("theme", next);
    }
    showTheme();
    document.dispatchEvent(new Event("learnt:theme"));
  });
}

// Whoever draws something into the page draws it anew at "learnt:shown", which comes first too.
const live = document.querySelector("[data-live]");
const fresh = document.querySelector("[data-fresh]");
document.dispatchEvent(new Event("learnt:shown"));

// What somebody is about to type or read with the keyboard is not taken from them.
function busy() {
  return live.querySelector("form[method=post]") !== null || live.contains(document.activeElement);
}

async function reload() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const part = page.querySelector("[data-live]");
  if (!part) return;
  live.dataset.live = part.dataset.live;
  live.replaceChildren(...part.childNodes);
  fresh.hidden = true;
  document.dispatchEvent(new Event("learnt:shown"));
}

if (live && live.dataset.live) {
  fresh.querySelector("[data-reload]").addEventListener("click", () => location.reload());
  const changes = new EventSource("/live?since=" + encodeURIComponent(live.dataset.live));
  changes.addEventListener("changed", () => {
    if (busy()) fresh.hidden = false;
    else reload();
  });
}
