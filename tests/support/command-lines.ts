import type { Command } from 'commander'

const named = (command: Command, name: string) =>
  command.commands.find((one) => one.name() === name || one.aliases().includes(name))

/**
 * The error in a line such as `videos -c acme`: an unknown command or option, or null. `a|b`
 * checks both commands.
 */
export const faultOf = (program: Command, line: string): string | null => {
  const words = line.trim().split(/\s+/)
  let command = program
  while (command.commands.length > 0 && words.length > 0 && !words[0]!.startsWith('-')) {
    const names = words.shift()!.split('|')
    const unknown = names.find((name) => !named(command, name))
    if (unknown) return `${line}: ${command.name()} has no command ${unknown}`
    command = named(command, names[0]!)!
  }
  const optionNames = command.options.flatMap(({ long, short }) => [long, short])
  const unknown = words.find((word) => /^--?[a-z]/.test(word) && word !== '--help' && !optionNames.includes(word))
  return unknown ? `${line}: ${command.name()} has no option ${unknown}` : null
}
