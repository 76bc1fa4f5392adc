import { pick, text } from "../read";

/** The locale that formatting uses, normally one of the languages of `navigator`; asked of the cheapest part of Intl. */
export const readLocale = () => pick(new Intl.PluralRules().resolvedOptions(), text, "locale");
