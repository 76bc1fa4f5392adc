"use client";

import "./globals.css";

/** Shown when the root layout fails: depends on nothing else. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto max-w-104 px-4 py-16">
          <h1 className="text-title font-semibold">Imprint could not answer</h1>
          <p role="alert" className="mt-2 text-fg-muted">
            Something failed on our side. Trying again is safe.
            {error.digest ? ` Reference ${error.digest}.` : ""}
          </p>
          <button
            type="button"
            onClick={reset}
            className="mt-4 h-8 rounded-md bg-accent px-3 font-medium text-accent-fg"
          >
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
