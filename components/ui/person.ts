"use client";

import { createContext, useContext } from "react";

export const Person = createContext<string | undefined>(undefined);

/** The person for whom the page was drawn; undefined outside the Console. */
export const usePerson = (): string | undefined => useContext(Person);
