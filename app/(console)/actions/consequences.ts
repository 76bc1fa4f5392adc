"use server";

import { defineAction } from "@/app/_server/action";
import { ASKED, readConsequences } from "@/app/_server/consequences";

export const readConsequencesAction = defineAction(ASKED, readConsequences);
