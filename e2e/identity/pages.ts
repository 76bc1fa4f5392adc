/** Graphics card that a visit shows: a rare one, another rare one, or none. */
export type Card = "rare" | "other" | "none";

export type Visit = {
  environmentId: string;
  card: Card;
  /** Where the component stores its token; in every storage unless "none". */
  storage?: "none";
  /** Whether to clear everything that the browser stored for the site first. */
  isForgotten?: boolean;
};

/** The next action of a browser: a visit in its window, visits in new tabs, or closing. */
export type Command = { go: string } | { open: string[] } | { leave: true };

const CARDS: Record<Card, string | undefined> = {
  rare: "NVIDIA Quadro GV100/PCIe/SSE2",
  other: "AMD Radeon Pro Vega II Duo",
  none: undefined,
};

/**
 * Script that gives the page a graphics card, since test machines have none or an arbitrary one. The component reads it
 * only through these two functions.
 */
function cardSource(card: Card): string {
  const name = CARDS[card];
  const context =
    name === undefined
      ? "null"
      : `{ getExtension: () => null, getParameter: (id) => (id === WebGLRenderingContext.RENDERER ? "${name}" : 0) }`;
  return `const getContext = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === "webgl" ? ${context} : getContext.call(this, kind, ...rest);
    };`;
}

/**
 * Script of every page: makes its visit, if it has one, and then follows its session's commands; a tab has no session.
 */
const CONTROL = `
  const post = async (path, body) => (await fetch(path, { method: "POST", body })).json();
  async function visit({ id, ...options }) {
    await post("/ready/" + id);
    const run = Imprint.createImprint({ ...options, timeoutMs: 60000 }).run();
    await post("/done/" + id, await run.then(({ imprint }) => imprint, ({ code }) => code));
  }
  async function obey(session) {
    for (;;) {
      const { go, open = [], leave } = await post("/next/" + session);
      for (const path of open) window.open(path, "_blank", "noopener");
      if (go) return location.replace(go);
      if (leave) return window.close();
    }
  }`;

/** A page for a browser without a driver. */
export function pageOf({ visit, id, session }: { visit?: Visit; id?: string; session: string | undefined }): string {
  const options = visit && { id, environmentId: visit.environmentId, storage: visit.storage };
  const visiting = visit ? `await visit(${JSON.stringify(options)});` : "";
  const next = session === undefined ? "window.close();" : `await obey("${session}");`;
  return `<!doctype html><html lang="en"><title>Shop</title><script>${visit ? cardSource(visit.card) : ""}</script>
    <script src="/v1/imprint.js"></script><script>${CONTROL}\n(async () => { ${visiting} ${next} })();</script></html>`;
}
