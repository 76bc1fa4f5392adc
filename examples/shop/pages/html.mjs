const ESCAPES = /** @type {Record<string, string>} */ ({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
});

/** @param {string | number} value */
const escape = (value) => String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");

/**
 * @typedef {{ markup: string }} Markup
 * @typedef {string | number | false | undefined | Markup | Markup[]} Value
 */

/** @param {Value} value @returns {string} */
const render = (value) => {
  if (Array.isArray(value)) return value.map(render).join("");
  if (typeof value === "object") return value.markup;
  return value === undefined || value === false ? "" : escape(value);
};

/** A template whose values are escaped, unless they are templates themselves. @param {TemplateStringsArray} parts @param {Value[]} values */
export const html = (parts, ...values) => ({
  markup: parts.reduce((text, part, index) => text + render(values[index - 1]) + part),
});

/** @param {string} title @param {Markup} body */
export const page = (title, body) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Fernway Plants</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/shop.css" />
      </head>
      <body>
        <header class="site">
          <a class="brand" href="/">
            <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
              <path
                d="M12 22V9m0 6c-5 0-8-3-8-8 5 0 8 3 8 8Zm0-3c0-5 3-8 8-8 0 5-3 8-8 8Z"
                fill="none"
                stroke="currentColor"
                stroke-width="1.8"
                stroke-linecap="round"
                stroke-linejoin="round"
              />
            </svg>
            Fernway Plants
          </a>
          <span class="note">An example shop</span>
        </header>
        ${body}
      </body>
    </html> `.markup;
