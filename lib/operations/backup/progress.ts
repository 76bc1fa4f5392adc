/** Progress output of a long command: a bar on a terminal, plain lines otherwise. */
export type Output = { write: (text: string) => unknown; isTTY?: boolean | undefined; columns?: number | undefined };

const REDRAW_MS = 100;
const BAR = 28;

export const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

export type Progress = {
  /** Updates the completed share, from 0 to 1, and the current item. */
  at: (share: number, what: string) => void;
  /** Reports a completed step, in plain-line output only. */
  done: (line: string) => void;
  /** Clears the bar. */
  end: () => void;
};

export function createProgress(output: Output, title: string): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  if (!output.isTTY) {
    return {
      at: () => undefined,
      done(line) {
        output.write(`${title}: ${line}\n`);
      },
      end: () => undefined,
    };
  }
  const draw = (text: string) => output.write(`\r\u001b[K${text.slice(0, (output.columns ?? 80) - 1)}`);
  return {
    at(share, what) {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const filled = Math.round(BAR * Math.min(1, Math.max(0, share)));
      const percent = String(Math.floor(100 * Math.min(1, share))).padStart(3);
      draw(`${title} [${"█".repeat(filled)}${"░".repeat(BAR - filled)}] ${percent} %  ${what}`);
    },
    done: () => undefined,
    end() {
      output.write("\r\u001b[K");
    },
  };
}
