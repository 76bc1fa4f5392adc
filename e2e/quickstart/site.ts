import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { build } from "esbuild";

import { ROOT } from "../process/service";
import { filledSample, makeFolder } from "./drivers";

export type LocalServer = { url: string; server: Server; close: () => Promise<void> };

export async function listen(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  return {
    server,
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => {
          done();
        });
      }),
  };
}

type Page = { html: string; script?: string; policy?: string };

/** A site that shows one page and records the forms submitted to it. */
export async function openSite(): Promise<LocalServer & { forms: URLSearchParams[]; show: (page: Page) => void }> {
  const forms: URLSearchParams[] = [];
  let page: Page = { html: "" };
  const site = await listen((request, response) => {
    void (async () => {
      if (request.method === "POST") forms.push(new URLSearchParams(await text(request)));
      const isScript = request.url === "/app.js";
      response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html; charset=utf-8");
      if (page.policy !== undefined) response.setHeader("Content-Security-Policy", page.policy);
      response.end(request.method === "POST" ? "sent" : isScript ? page.script : page.html);
    })();
  });
  return {
    ...site,
    forms,
    show(next) {
      page = next;
    },
  };
}

const REACT_ENTRY = `import { createRoot } from "react-dom/client";
import { SignInForm } from "./sign-in";
createRoot(document.querySelector("#root")).render(<SignInForm />);`;

/** The React sample as a page, with the package as built for the service. */
export async function bundleReactSample(baseUrl: string, environmentId: string): Promise<Page> {
  const { folder, remove } = makeFolder({
    "sign-in.tsx": filledSample("sign-in.tsx", baseUrl, environmentId),
    "entry.tsx": REACT_ENTRY,
  });
  try {
    const { outputFiles } = await build({
      entryPoints: [join(folder, "entry.tsx")],
      bundle: true,
      write: false,
      format: "esm",
      jsx: "automatic",
      nodePaths: [join(ROOT, "node_modules")],
      alias: { "imprint-browser/react": join(ROOT, ".test/dist/component/v1/imprint-react.mjs") },
      define: { "process.env.NODE_ENV": '"production"' },
      logLevel: "silent",
    });
    const html =
      '<!doctype html><html lang="en"><div id="root"></div><script type="module" src="/app.js"></script></html>';
    return { html, script: outputFiles[0]?.text ?? "" };
  } finally {
    remove();
  }
}
