"use client";

import { createContext, type ReactNode, useContext, useState } from "react";

const Person = createContext<string | undefined>(undefined);

/**
 * The person for whom a page was drawn, whom its actions name to the server. It stays the first one while the page is
 * open: if somebody else signs in in another tab, a refresh must not hand over what the first one typed.
 */
export function PersonProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const [first] = useState(userId);
  return <Person value={first}>{children}</Person>;
}

/** The person for whom the page was drawn; undefined outside the Console. */
export const usePerson = (): string | undefined => useContext(Person);
