// What must happen before the page is drawn: dark or light, whether the first screen is shown, and clicks on its buttons, which wait for
// the modules. A classic script, because modules run too late.
(() => {
  const key = "superflip.theme";
  const root = document.documentElement;
  root.toggleAttribute("data-first", !/[#&](cube|mode)=/.test(location.hash));
  addEventListener("click", ({ target }) => {
    const way = target instanceof Element && target.closest("#ways button");
    if (way && !("ready" in root.dataset)) root.dataset.early = way.id;
  });
  let theme = null;
  try {
    theme = localStorage.getItem(key);
  } catch {
    // Storage is not allowed: the system's choice stays.
  }
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  addEventListener("DOMContentLoaded", () => {
    const dark = () =>
      (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    document.getElementById("theme")?.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try {
        localStorage.setItem(key, root.dataset.theme);
      } catch {
        // The choice lasts until the page is closed.
      }
    });
  });
})();
