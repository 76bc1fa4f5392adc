export type Fact = {
  name: string;
  status: "ok" | "warn" | "fail";
  text: string;
  /** What to do about it. */
  fix?: string;
};

/** `1 key`, `2 keys` */
export const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
