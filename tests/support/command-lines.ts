import type { Command } from 'commander'

const named = (command: Command, name: string) =>
  command.commands.find((one) => one.name() === name || one.aliases().includes(name))

/** The command of a line and the words after it, or the error in its name. */
const parse = (program: Command, line: string) => {
  const words = line.trim().split(/\s+/)
  let command = program
  while (command.commands.length > 0 && words.length > 0 && !words[0]!.startsWith('-')) {
    const names = words.shift()!.split('|')
    const unknown = names.find((name) => !named(command, name))
    if (unknown) return { fault: `${line}: ${command.name()} has no command ${unknown}`, command, words }
    command = named(command, names[0]!)!
  }
  return { fault: null, command, words }
}

/**
 * The error in a line such as `videos -c acme`: an unknown command or option, or null. `a|b`
 * checks both commands.
 */
export const faultOf = (program: Command, line: string): string | null => {
  const { fault, command, words } = parse(program, line)
  if (fault) return fault
  const optionNames = command.options.flatMap(({ long, short }) => [long, short])
  const unknown = words.find((word) => /^--?[a-z]/.test(word) && word !== '--help' && !optionNames.includes(word))
  return unknown ? `${line}: ${command.name()} has no option ${unknown}` : null
}

/** The error in a line to be copied: that of `faultOf`, or a required option that is missing. */
export const faultOfWhole = (program: Command, line: string): string | null => {
  const { fault, command, words } = parse(program, line)
  if (fault || words.includes('--help') || words.includes('…')) return fault ?? faultOf(program, line)
  const isGiven = (name: string | undefined) => name !== undefined && words.includes(name)
  const missing = command.options.find(({ mandatory, long, short }) => mandatory && !isGiven(long) && !isGiven(short))
  return missing ? `${line}: ${command.name()} lacks ${missing.long}` : faultOf(program, line)
}
