"use client";

import { type ReactNode, useState } from "react";

import { Person } from "@/components/ui/person";

/**
 * The person for whom a page was drawn, whom its actions name to the server. It stays the first one while the page is
 * open: if somebody else signs in in another tab, a refresh must not hand over what the first one typed.
 */
export function PersonProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const [first] = useState(userId);
  return <Person value={first}>{children}</Person>;
}
