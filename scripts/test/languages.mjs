import { findProgram, onPath } from "./find-program.mjs";

const LANGUAGES = [
  { title: "Python", variable: "PYTHON", names: ["python3"], debianPackage: "python3" },
  { title: "Go", variable: "GO", names: ["go"], debianPackage: "golang-go", versionArgument: "version" },
  { title: "PHP", variable: "PHP", names: ["php"], debianPackage: "php-cli" },
  { title: "curl", variable: "CURL", names: ["curl"], debianPackage: "curl" },
];

/** The programs that run the code samples, by their environment variable. */
export async function findLanguages() {
  const found = /** @type {Record<string, string>} */ ({});
  for (const { names, ...language } of LANGUAGES) {
    found[language.variable] = await findProgram({
      ...language,
      purpose: "A test of the code samples",
      elsewhere: `brew install ${names[0]}`,
      candidates: () => onPath(names),
    });
  }
  return found;
}
