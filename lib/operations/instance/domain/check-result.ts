/** What one check of `doctor` found. */
export type CheckResult = {
  name: string;
  status: "ok" | "warn" | "fail";
  text: string;
  /** What to do about it. */
  fix?: string;
};

export const ok = (name: string, text: string): CheckResult => ({ name, status: "ok", text });
export const warn = (name: string, text: string, fix: string): CheckResult => ({ name, status: "warn", text, fix });
export const fail = (name: string, text: string, fix: string): CheckResult => ({ name, status: "fail", text, fix });

/** `1 key`, `2 keys` */
export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
