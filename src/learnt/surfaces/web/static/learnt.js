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

// What somebody is about to type, reads with the keyboard, opened or marked is not taken from them.
function busy() {
  return (
    live.querySelector("form[method=post], details[open]") !== null ||
    live.contains(document.activeElement) ||
    !document.getSelection().isCollapsed
  );
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
  let changes = null;
  // A browser has six connections to a host: a page that nobody sees gives its own away.
  function follow() {
    if (changes) changes.close();
    changes = null;
    if (document.hidden) return;
    changes = new EventSource("/live?since=" + encodeURIComponent(live.dataset.live));
    changes.addEventListener("changed", async () => {
      if (busy()) fresh.hidden = false;
      else await reload();
      if (live.dataset.live === "behind") follow();
    });
  }
  document.addEventListener("visibilitychange", follow);
  follow();
}
