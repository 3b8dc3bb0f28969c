import type { Command } from 'commander'

const named = (command: Command, name: string) =>
  command.commands.find((one) => one.name() === name || one.aliases().includes(name))

/** Why a line such as `video list -c acme` is no command with such options; null where it is one. `a|b` stands for each of them. */
export const faultOf = (program: Command, line: string): string | null => {
  const words = line.trim().split(/\s+/)
  let command = program
  while (command.commands.length > 0 && words.length > 0 && !words[0]!.startsWith('-')) {
    const names = words.shift()!.split('|')
    const strange = names.find((name) => !named(command, name))
    if (strange) return `${line}: ${command.name()} has no command ${strange}`
    command = named(command, names[0]!)!
  }
  const known = command.options.flatMap(({ long, short }) => [long, short])
  const strange = words.find((word) => /^--?[a-z]/.test(word) && word !== '--help' && !known.includes(word))
  return strange ? `${line}: ${command.name()} has no option ${strange}` : null
}
