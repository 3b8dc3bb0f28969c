import { type Command, InvalidArgumentError } from 'commander'
import { listLeaks, membersByMark } from '#api/db/queries/play-leaks.ts'
import { keySystems, setDrm } from '#api/domain/playback/set-drm.ts'
import { wholeNumber } from './number.ts'
import { actorOf, type StoreOptions, transact } from './open.ts'
import { minuteOf, printRows } from './print.ts'

/** The mark of a member, as the picture shows it: hexadecimal, in either case. */
const readMark = (text: string): string => {
  const mark = text.trim().toLowerCase()
  if (!/^[0-9a-f]{8}$/.test(mark))
    throw new InvalidArgumentError('A mark has eight characters, 0 to 9 and A to F, for example 0B1C2D3E.')
  return mark
}

interface DrmOptions extends StoreOptions {
  product: string
  lesson?: number
  system: string
  licenceUrl?: string
  certificateUrl?: string
}

/** Who passes streams on, and where encrypted ones get their licences. */
export const protectionCommands = (program: Command, store: (command: Command) => Command) => {
  store(program.command('leaks').description('Whose streams and files strangers asked for, the latest first'))
    .option('--mark <mark>', 'of one member: the eight characters a watermark shows', readMark)
    .option('--limit <count>', 'how many at most', wholeNumber, 50)
    .action(async (options: StoreOptions & { mark?: string; limit: number }) => {
      const { mark = null, limit } = options
      const rows = await transact(options, ({ db, customer }) => listLeaks(db, customer.id, mark, limit))
      printRows(
        rows.map(({ lastAt, email, memberId, product, asset, addresses, asks, endedBy }) => ({
          ...{ last: minuteOf(lastAt), member: email || memberId, product: product ?? asset },
          ...{ 'asked from': addresses.join(', '), minutes: asks, 'play ended': endedBy ?? '' },
        })),
        'Nobody asked for what was made for somebody else.',
      )
    })

  store(program.command('mark').description('Whose a watermark is'))
    .argument('<mark>', 'the eight characters it shows', readMark)
    .action(async (mark: string, options: StoreOptions) => {
      const rows = await transact(options, ({ db, customer }) => membersByMark(db, customer.id, mark))
      printRows(rows, 'No member of this store has that mark.')
    })

  store(program.command('drm').description("Say where an encrypted video's licences are"))
    .requiredOption('--product <code>', 'the product')
    .option('--lesson <place>', 'a lesson of it, counted from 1 (by default its own video)', wholeNumber)
    .requiredOption('--system <name>', keySystems.join(', '))
    .option('--licence-url <url>', 'where the licence server answers; without it the system is taken away')
    .option('--certificate-url <url>', "where the licence server's certificate is (FairPlay)")
    .action(async (options: DrmOptions) => {
      const { systems, asset } = await transact(options, (ctx) =>
        setDrm(ctx, actorOf(options), {
          ...{ product: options.product, lesson: options.lesson ?? null, keySystem: options.system },
          ...{ licenseUrl: options.licenceUrl ?? null, certificateUrl: options.certificateUrl ?? null },
        }),
      )
      console.log(
        systems.length > 0 ? `${asset} asks for licences of ${systems.join(', ')}.` : `${asset} is in the clear.`,
      )
    })
}
