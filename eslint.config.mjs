import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const nonDeterminism = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: "Take `now` as a parameter." },
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: "Take `now` as a parameter." },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: "Take randomness as a parameter.",
  },
];

export default tseslint.config(
  {
    ignores: [
      ".next*/**",
      ".test/**",
      ".data/**",
      "dist/**",
      "public/**",
      "releases/**",
      "examples/*/public/**",
      "**/*.cjs",
      "**/*.mjs",
      "next-env.d.ts",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  { languageOptions: { parserOptions: { projectService: true } } },
  {
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "no-restricted-properties": [
        "error",
        { object: "process", property: "env", message: "Read configuration from lib/platform/env.ts." },
      ],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["lib/**/domain/**"],
    ignores: ["**/*.test.ts"],
    rules: {
      "no-restricted-globals": ["error", "fetch", "crypto", "setTimeout", "console"],
      "no-restricted-syntax": ["error", ...nonDeterminism],
    },
  },
  {
    files: ["**/*.tsx"],
    plugins: { "react-hooks": reactHooks },
    rules: { ...reactHooks.configs.recommended.rules, "max-lines-per-function": "off" },
  },
  {
    files: ["lib/platform/env.ts", "*.config.ts", "**/*.test.ts", "**/*.spec.ts", "e2e/**", "**/testing.ts"],
    rules: { "no-restricted-properties": "off", "max-lines-per-function": "off" },
  },
);
