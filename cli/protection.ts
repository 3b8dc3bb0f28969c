import type { Command } from 'commander'
import { listLeaks, membersByMark } from '#api/db/queries/play-leaks.ts'
import { keySystems, setDrm } from '#api/domain/playback/set-drm.ts'
import { actorOf, type StoreOptions, transact } from './open.ts'
import { printRows } from './print.ts'

const minute = (iso: string) => iso.slice(0, 16).replace('T', ' ')

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
    .option('--mark <mark>', 'of one member: the eight characters a watermark shows')
    .option('--limit <count>', 'how many at most', Number, 50)
    .action(async (options: StoreOptions & { mark?: string; limit: number }) => {
      const mark = options.mark?.toLowerCase() ?? null
      const rows = await transact(options, ({ db, customer }) => listLeaks(db, customer.id, mark, options.limit))
      printRows(
        rows.map(({ lastAt, email, memberId, product, asset, addresses, asks, endedBy }) => ({
          ...{ last: minute(lastAt), member: email || memberId, product: product ?? asset },
          ...{ 'asked from': addresses.join(', '), minutes: asks, 'play ended': endedBy ?? '' },
        })),
        'Nobody asked for what was made for somebody else.',
      )
    })

  store(program.command('mark').description('Whose a watermark is'))
    .argument('<mark>', 'the eight characters it shows')
    .action(async (mark: string, options: StoreOptions) => {
      const rows = await transact(options, ({ db, customer }) => membersByMark(db, customer.id, mark.toLowerCase()))
      printRows(rows, 'No member of this store has that mark.')
    })

  store(program.command('drm').description("Say where an encrypted video's licences are"))
    .requiredOption('--product <code>', 'the product')
    .option('--lesson <place>', 'a lesson of it, counted from 1 (by default its own video)', Number)
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
