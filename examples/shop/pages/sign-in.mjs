import { html, page } from "./html.mjs";

/**
 * @typedef {{ id: string, label: string, detail: string, endpoint: string }} Visitor where a sample visit comes from
 * @typedef {{ visitors: Visitor[], visitor: Visitor | undefined, isBlocked: boolean }} Samples
 */

/** @param {Visitor[]} visitors @param {Visitor | undefined} visitor */
const visitorChoice = (visitors, visitor) => html`
  <fieldset>
    <legend>Where the visit comes from</legend>
    ${visitors.map(
      ({ id, label, detail }) => html`
        <label class="choice">
          <input type="radio" name="visitor" value="${id}" ${id === visitor?.id && html`checked`} />
          <span>${label}<small>${detail}</small></span>
        </label>
      `,
    )}
  </fieldset>
`;

/** @param {Samples} options */
const samples = ({ visitors, visitor, isBlocked }) => html`
  <aside class="card" aria-labelledby="samples">
    <h2 id="samples">Samples for this demonstration</h2>
    <p>
      On one machine every visit comes from the same private address, of which nothing can be known. Here you lend the
      visit a sample address of a public network. A real shop has none of this.
    </p>
    <form method="get" action="/">
      ${visitorChoice(visitors, visitor)}
      <label class="choice">
        <input type="checkbox" name="component" value="blocked" ${isBlocked && html`checked`} />
        <span>Block the component<small>as an ad blocker would; the form has to work all the same</small></span>
      </label>
      <button class="quiet">Use these settings</button>
    </form>
  </aside>
`;

/** The form, with the component's script and an empty field for the imprint. @param {Samples & { imprintUrl: string, environmentId: string }} options */
export const signInPage = ({ imprintUrl, environmentId, visitors, visitor, isBlocked }) =>
  page(
    "Sign in",
    html`
      <main class="${visitors.length > 0 ? "two" : "one"}">
        <section class="card" aria-labelledby="sign-in">
          <h1 id="sign-in">Welcome back</h1>
          <p>Sign in to see your orders and the state of your plants.</p>
          <form
            method="post"
            action="/sign-in"
            data-environment-id="${environmentId}"
            data-endpoint="${visitor ? visitor.endpoint : ""}"
          >
            <label for="email">E-mail address</label>
            <input id="email" name="email" type="email" autocomplete="username" required value="ada@example.com" />
            <label for="password">Password</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              value="any password"
            />
            <input type="hidden" name="imprint" value="" />
            <button type="submit">Sign in</button>
            <p role="status"></p>
          </form>
          ${visitor && html`<p class="hint">Sample visit: <strong>${visitor.label}</strong>${isBlocked && ", component blocked"}</p>`}
        </section>
        ${visitors.length > 0 && samples({ visitors, visitor, isBlocked })}
      </main>
      <script src="${imprintUrl}/v1/imprint.js"></script>
      <script type="module" src="/sign-in.js"></script>
    `,
  );

/** @param {string} title @param {string} text */
export const messagePage = (title, text) =>
  page(
    title,
    html`<main class="one">
      <section class="card">
        <h1>${title}</h1>
        <p>${text}</p>
        <p><a href="/">Back to the shop</a></p>
      </section>
    </main>`,
  );
