import { type Command, InvalidArgumentError } from 'commander'
import { listLeaks, membersByMark } from '#api/modules/playback/media-rights.queries.ts'
import { keySystems, setDrm } from '#api/modules/playback/protection.ts'
import { wholeNumber } from './number.ts'
import { actorOf, type StoreOptions, transact } from './open.ts'
import { minuteOf, printRows } from './print.ts'

/** Parses a watermark code in hexadecimal, in either case. */
const readMark = (text: string): string => {
  const mark = text.trim().toLowerCase()
  if (!/^[0-9a-f]{8}$/.test(mark))
    throw new InvalidArgumentError('A mark has eight characters, 0 to 9 and A to F, for example 0B1C2D3E.')
  return mark
}

/** Returns a group of commands that another file has created. */
const groupOf = (program: Command, name: string): Command => {
  const group = program.commands.find((command) => command.name() === name)
  if (!group) throw new Error(`There is no command ${name}.`)
  return group
}

interface DrmOptions extends StoreOptions {
  product: string
  lesson?: number
  system: string
  licenceUrl?: string
  certificateUrl?: string
}

/**
 * Lists shared streams (`media leaks`) and members by watermark (`mark`), and sets licence servers
 * (`video drm`).
 */
export const protectionCommands = (program: Command, store: (command: Command) => Command) => {
  store(
    groupOf(program, 'media')
      .command('leaks')
      .description('List stream and file addresses used by others, newest first'),
  )
    .option('--mark <mark>', 'only this watermark (eight characters)', readMark)
    .option('--limit <count>', 'maximum number of results', wholeNumber, 50)
    .action(async (options: StoreOptions & { mark?: string; limit: number }) => {
      const { mark = null, limit } = options
      const rows = await transact(options, ({ db, customer }) => listLeaks(db, customer.id, mark, limit))
      printRows(
        rows.map(({ lastAt, email, memberId, product, asset, addresses, requests, endedBy }) => ({
          last: minuteOf(lastAt),
          member: email || memberId,
          product: product ?? asset,
          'asked from': addresses.join(', '),
          minutes: requests,
          'play ended': endedBy ?? '',
        })),
        'Nobody asked for what was made for somebody else.',
      )
    })

  store(program.command('mark').description('Find the member behind a watermark'))
    .argument('<mark>', 'the eight characters of the watermark', readMark)
    .action(async (mark: string, options: StoreOptions) => {
      const rows = await transact(options, ({ db, customer }) => membersByMark(db, customer.id, mark))
      printRows(rows, 'No member of this store has that watermark.')
    })

  store(groupOf(program, 'video').command('drm').description('Set the license server of an encrypted video'))
    .requiredOption('--product <code>', 'the product')
    .option('--lesson <place>', 'lesson number from 1 (default: the product’s own video)', wholeNumber)
    .requiredOption('--system <name>', keySystems.join(', '))
    .option('--licence-url <url>', 'license server URL; leave out to remove the system')
    .option('--certificate-url <url>', 'certificate URL (FairPlay)')
    .action(async (options: DrmOptions) => {
      const { systems, asset } = await transact(options, (ctx) =>
        setDrm(ctx, actorOf(options), {
          product: options.product,
          lesson: options.lesson ?? null,
          keySystem: options.system,
          licenseUrl: options.licenceUrl ?? null,
          certificateUrl: options.certificateUrl ?? null,
        }),
      )
      console.log(
        systems.length > 0 ? `${asset} asks for licences of ${systems.join(', ')}.` : `${asset} is in the clear.`,
      )
    })
}
