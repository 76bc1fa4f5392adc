/** What a visit shows as graphics card: one that hardly anybody has, another such, or none. */
export type Card = "rare" | "other" | "none";

export type Visit = {
  environmentId: string;
  card: Card;
  /** Where the component keeps its token; everywhere unless it says "none". */
  storage?: "none";
  /** Everything that the browser stored for the site is cleared first. */
  isForgotten?: boolean;
};

/** The next thing that a browser does: one visit in its window, visits in new tabs, or to close. */
export type Command = { go: string } | { open: string[] } | { leave: true };

const CARDS: Record<Card, string | undefined> = {
  rare: "NVIDIA Quadro GV100/PCIe/SSE2",
  other: "AMD Radeon Pro Vega II Duo",
  none: undefined,
};

/**
 * Source that gives the page a graphics card, as machines that run tests have none or one of their own. The component
 * reads nothing but these two functions of it.
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

/** What every page runs: one visit if it has one, then whatever its session is told next; a tab has no session. */
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

/** A page that a browser visits without a driver. */
export function pageOf({ visit, id, session }: { visit?: Visit; id?: string; session: string | undefined }): string {
  const options = visit && { id, environmentId: visit.environmentId, storage: visit.storage };
  const visiting = visit ? `await visit(${JSON.stringify(options)});` : "";
  const next = session === undefined ? "window.close();" : `await obey("${session}");`;
  return `<!doctype html><html lang="en"><title>Shop</title><script>${visit ? cardSource(visit.card) : ""}</script>
    <script src="/v1/imprint.js"></script><script>${CONTROL}\n(async () => { ${visiting} ${next} })();</script></html>`;
}
