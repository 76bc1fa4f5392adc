export type Fact = {
  name: string;
  status: "ok" | "warn" | "fail";
  text: string;
  /** What to do about it. */
  fix?: string;
};
