import { besideCode, by, decidedIn, inErrors, section } from './statement.ts'

/** Validation rules. */
export const validationRules = section(5, [
  ['A 422 response puts field errors into a validation-error store', inErrors],
  ['The validation-error store is cleared before each request', inErrors],
  [
    'Domain check: begins with http or https, optional www, a host whose top-level part has at least 2 letters, optional path',
    inErrors,
  ],
  [
    'Presence check: null and empty string count as missing',
    besideCode('contract/rules.test.ts', 'treat null and the empty string as missing, zero and false not'),
  ],
  [
    'Amounts: digits grouped in threes with commas, minus sign for negatives',
    by('app/platform.test.ts', 'group digits in threes, with a minus sign for negatives'),
  ],
  ['Amounts: shown with a currency text template', by('app/platform.test.ts', 'write money as the language does')],
  ['Other field rules: not shown', decidedIn('contract/identity.ts')],
])
