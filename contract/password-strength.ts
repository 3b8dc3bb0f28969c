type PasswordStrength = 'weak' | 'medium' | 'strong'

const shortest = 8
/** Approximate bits of entropy. */
const mediumFrom = 45
const strongFrom = 75

/** Passwords that attackers try first. */
const commonPasswordParts =
  /password|passw0rd|qwerty|asdfgh|zxcvbn|letmein|welcome|iloveyou|monkey|dragon|admin|login|football|sunshine|1q2w3e|q1w2e3/gi

/**
 * Estimates how well a password resists guessing; null for an empty one. Repetitions (`aaaa`),
 * sequences (`4567`), common words and `personal` words (email, name) hardly count.
 */
export function passwordStrength(password: string, personal: readonly string[] = []): PasswordStrength | null {
  if (password === '') return null
  if (password.length < shortest) return 'weak'
  const bits = unpredictableCharacters(withoutCommonParts(password, personal)) * Math.log2(alphabetOf(password))
  if (bits < mediumFrom) return 'weak'
  return bits < strongFrom ? 'medium' : 'strong'
}

/** Replaces each common or personal word with one character. */
function withoutCommonParts(password: string, personal: readonly string[]): string {
  const personalParts = personal
    .flatMap((text) => text.toLowerCase().split(/[@.\s]+/))
    .filter((word) => word.length > 2)
  const plain = password.replaceAll(commonPasswordParts, '*')
  return personalParts.reduce((rest, word) => rest.toLowerCase().replaceAll(word, '*'), plain)
}

/** Counts the characters that do not continue the two before them. */
function unpredictableCharacters(text: string): number {
  let count = 0
  let previous: number | undefined
  let previousStep: number | undefined
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const step = previous === undefined ? undefined : code - previous
    const continues = step !== undefined && Math.abs(step) <= 1 && step === previousStep
    if (!continues) count += 1
    previous = code
    previousStep = step
  }
  return count
}

function alphabetOf(text: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^\p{L}\d]/u, 33],
    [/[^a-zA-Z\P{L}]/u, 100],
  ]
  return kinds.reduce((size, [kind, count]) => (kind.test(text) ? size + count : size), 0)
}
