import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { newId } from '#api/platform/db/columns.ts'
import {
  type CustomerId,
  customerId as customerIdSchema,
  type GuestId,
  guestId as guestIdSchema,
} from '#contract/ids.ts'
import { trimText } from '#contract/text.ts'

const algorithm = 'aes-256-gcm'
const version = 'v1'
const keyOf = (secret: string) => createHash('sha256').update(secret).digest()

/**
 * Encrypts a value that the database must not store as plain text: a card token, a refund account
 * or a provider's secret. Take `secret` from `secretFor`. Each call returns a different result for
 * the same text, and `decrypt` detects changes.
 */
export const encrypt = (secret: string, text: string): string => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [version, ...[nonce, cipher.getAuthTag(), encrypted].map((part) => part.toString('base64url'))].join('.')
}

/**
 * Returns the plain text.
 *
 * @throws where the text was changed or encrypted with another secret
 */
export const decrypt = (secret: string, encrypted: string): string => {
  const [mark, nonce = '', tag = '', text = ''] = encrypted.split('.')
  if (mark !== version) throw new Error('The text was not encrypted by this version')
  const decipher = createDecipheriv(algorithm, keyOf(secret), Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
  decipher.setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8')
}

/**
 * Derives a separate secret for each use from the installation's secret, so that one leaked secret
 * does not expose the others.
 */
export const secretFor = (
  secret: string,
  use:
    | 'media'
    | 'sandbox webhooks'
    | 'payment pages'
    | 'join codes'
    | 'sealed columns'
    | 'known devices'
    | 'recovery codes'
    | 'staff email changes'
    | 'staff password resets'
    | 'first store'
    | 'passkey challenges',
) => createHmac('sha256', secret).update(use).digest('base64url')

/**
 * Resolves or rejects no sooner than after `milliseconds`, so that the response time does not
 * reveal what the work has found. Choose a time longer than the work normally takes.
 */
export const atLeast = async <Answer>(milliseconds: number, work: () => Promise<Answer>): Promise<Answer> => {
  const [done] = await Promise.allSettled([work(), sleep(milliseconds)])
  if (done.status === 'rejected') throw done.reason
  return done.value
}

/** Encodes UUIDs as base64url, 16 bytes each. */
export const packUuids = (ids: readonly string[]): string =>
  Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')

/** Decodes the UUIDs of `packUuids`. Ignores an incomplete UUID at the end. */
export const unpackUuids = (packed: string): string[] =>
  (Buffer.from(packed, 'base64url').toString('hex').match(/.{32}/g) ?? []).map((hex) =>
    hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )

/**
 * Returns the format of a kind of token: a prefix, the tenant's id and 256 random bits. The
 * prefixes differ, so that a token of one kind is never accepted as another. The id allows
 * rejecting a token of another tenant without a query; only the random part authenticates.
 */
export const createTokenFormat = (prefix: string) => {
  const pattern = new RegExp(`^${prefix}_([A-Za-z0-9_-]{22})_[A-Za-z0-9_-]{43}$`)
  return {
    create: (customerId: CustomerId): string =>
      `${prefix}_${packUuids([customerId])}_${randomBytes(32).toString('base64url')}`,
    /** The tenant of a token; null if the format does not match. */
    customerOf: (token: string): CustomerId | null => {
      const [id] = unpackUuids(pattern.exec(token)?.[1] ?? '')
      return customerIdSchema.safeParse(id).data ?? null
    },
  }
}

/** Crockford's alphabet has no I, L, O or U, so that a code can be read out on the phone. */
const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns random characters for a code that people read and type. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => codeAlphabet.charAt(randomInt(codeAlphabet.length))).join('')

/** From the first to the last code that begins, or end of a code that is, as typed. */
export interface CodeRange {
  isEnd: boolean
  first: string
  last: string
}

/**
 * Returns the codes that begin with `start`, in the form of `template`: 9 stands for a digit, Z for
 * a character of `randomCode`. All codes of a form have one length, so that an index finds them in
 * every collation. Null for a start of no such code, or one shorter than `shortest`.
 */
export const codesFrom = (start: string, template: string, shortest: number): CodeRange | null => {
  const isPlace = (place: string | undefined, each: string) =>
    place === '9' ? /\d/.test(each) : place === 'Z' ? codeAlphabet.includes(each) : place === each
  if (start.length < shortest || ![...start].every((each, at) => isPlace(template[at], each))) return null
  const rest = template.slice(start.length)
  return { isEnd: false, first: start + rest.replaceAll(/[9Z]/g, '0'), last: start + rest }
}

/**
 * Returns the six random characters that end a code, as typed in either case; null for a text that
 * cannot be them. The tables of codes have indexes on `right(code, 6)`.
 */
export const codeEndOf = (text: string): CodeRange | null => {
  const end = text.toUpperCase()
  return end.length === 6 && [...end].every((each) => codeAlphabet.includes(each))
    ? { isEnd: true, first: end, last: end }
    : null
}

const guestSignatureOf = (secret: string, customerId: CustomerId, guestId: GuestId) =>
  createHmac('sha256', secret).update(`guest\n${customerId}\n${guestId}`).digest('base64url')

/**
 * Creates a guest token: an id and its signature, bound to the tenant. Guests cannot forge an id.
 */
export const createGuestToken = (secret: string, customerId: CustomerId) => {
  const guestId = newId<GuestId>()
  return { guestId, token: `${guestId}.${guestSignatureOf(secret, customerId, guestId)}` }
}

/** The guest id of a token; null if the signature is not valid for this tenant. */
export const readGuestToken = (secret: string, customerId: CustomerId, token: string): GuestId | null => {
  const [id, signature = ''] = token.split('.')
  const { data: guestId } = guestIdSchema.safeParse(id)
  if (!guestId) return null
  const due = Buffer.from(guestSignatureOf(secret, customerId, guestId))
  const offered = Buffer.from(signature)
  return offered.length === due.length && timingSafeEqual(offered, due) ? guestId : null
}

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Equal passwords may be typed as different code points. */
const normalized = (password: string) => password.normalize('NFKC')

/** Returns the hash of a password as a PHC string with its own salt and cost. */
export const hashPassword = (password: string) => hash(normalized(password), cost)

/** Compared if no account has the email, so that the response takes as long as for a member. */
const placeholderHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Stored in place of a hash for an account that has no password yet. */
export const noPassword = ''

/** Checks a password against the stored hash. Without a hash it takes as long and returns false. */
export const verifyPassword = async (password: string, storedHash: string | null) => {
  const isSet = storedHash !== null && storedHash !== noPassword
  return (await verify(isSet ? storedHash : placeholderHash, normalized(password))) && isSet
}

/** The most common passwords of eight letters and more, as lists of leaked ones have them. */
const commonPasswords = new Set(
  `
password password1 password2 password12 password123 password1234 password12345 password123456 password01 passw0rd
passw0rd1 p@ssw0rd p@ssword p@ssword1 p@ssw0rd1 p@ssw0rd123 pa$$word pa$$w0rd password! password1! password123!
passwords passwort passwort1 passwort123 mypassword mypassword1 newpassword yourpassword thepassword userpassword
adminpassword rootpassword testpassword passwordpassword passpass passpass1 pass1234 pass12345 passcode 123456789
1234567890 12345678910 123456789a 123456789q 12345678a 12345678q a12345678 a123456789 q12345678 123123123 12341234
1234512345 12121212 121212121212 11223344 1122334455 112233445566 123321123 123454321 12344321 1234554321 12345678901
147258369 147852369 159357456 159753456 741852963 789456123 789456123a 987654321 9876543210 963852741 456789123
321321321 10203040 1020304050 01012345678 01012341234 13131313 13579246 135792468 1357924680 14141414 19191919
20202020 21212121 23232323 25252525 31415926 314159265 42424242 52525252 69696969 78787878 87654321 98989898 1a2b3c4d
1a2b3c4d5e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r! 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1q1q1q1q 2wsx3edc 1234qwer
12345qwert 123456qwerty 1234abcd 123abc123 123qweasd 123qweasdzxc 123qwe123 123qwe123qwe 12qwaszx qwe123qwe qweasdzxc
qweasd123 qwer1234 qwer12345 qwer1234! qwert12345 qwert123 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
qwerty1! qwerty123! qwertyui qwertyuio qwertyuiop qwertyuiop1 qwertyqwerty qwertz123 qwertzui qwertzuiop azertyui
azertyuiop asdfghjk asdfghjkl asdfgh123 asdf1234 asdf12345 asdfasdf asdfasdf1 asdasdasd asdqwe123 asd123asd zxcvbnm1
zxcvbnm123 zxcvbnm, zxcvbnm,. zxcv1234 zxcvzxcv zxcasdqwe zaq12wsx zaq1zaq1 zaq1xsw2 !qaz2wsx !qaz1qaz q1w2e3r4
q1w2e3r4t5 q1w2e3r4t5y6 abcd1234 abcd12345 abc12345 abc123456 abc123abc abcabc123 abcd1234! abcde123 abcdef123
aa123456 aa12345678 aaa11111 aabbccdd a1b2c3d4 a1b2c3d4e5 a1234567 a123456a q1234567 z1234567 x1234567 s1234567
asdf123! admin123 admin1234 admin12345 admin123456 admin123! admin@123 adminadmin administrator admin2020 root1234
rootroot test1234 test12345 testtest testtest1 testing1 testing123 tester123 user1234 useruser guest123 guest1234
demo1234 demodemo default1 changeme changeme1 changeme123 changeit letmein1 letmein123 letmein! letmeinnow welcome1
welcome12 welcome123 welcome1234 welcome! welcome1! welcome2024 welcome2025 welcome2026 iloveyou iloveyou1 iloveyou2
iloveyou12 iloveyou123 iloveyou! iloveyouu iloveme1 iloveme123 ilovehim loveyou1 lovelove loveme123 lovely123
lover123 forever1 football football1 football12 football123 baseball baseball1 basketball basketball1 softball
volleyball hockey123 superman superman1 superman123 batman123 spiderman spiderman1 ironman123 starwars starwars1
pokemon1 pokemon123 princess princess1 princess12 princess123 sunshine sunshine1 sunshine12 sunshine123 chocolate
chocolate1 butterfly butterfly1 michelle michelle1 jennifer jennifer1 jessica1 jessica123 jonathan alexander
alexander1 alexandra elizabeth elizabeth1 christian christopher nicholas victoria victoria1 samantha samantha1
stephanie benjamin isabella gabriela gabriella daniel123 michael1 michael123 charlie1 charlie123 thomas123 anthony1
andrew123 ashley123 jordan123 jordan23 computer computer1 computer123 internet internet1 samsung1 samsung123
samsung12 microsoft google123 facebook facebook1 instagram instagram1 youtube123 whatever whatever1 whatever123
trustno1 dragon123 dragonball monkey123 monkey12 shadow123 master123 mastermind killer123 hunter123 hunter12 freedom1
freedom123 mustang1 corvette ferrari1 mercedes porsche911 liverpool liverpool1 chelsea1 chelsea123 arsenal1
arsenal123 barcelona barcelona1 realmadrid manchester juventus1 november december september october1 february
january1 summer123 summer2024 summer2025 summer2026 winter123 winter2025 winter2026 spring2026 autumn2026 birthday
birthday1 midnight midnight1 blink182 rainbow1 rainbow123 flower123 purple123 yellow123 orange123 cookie123 banana123
cheese123 pepper123 ginger123 buster123 tigger123 snoopy123 garfield scooby123 precious precious1 angel123 angels123
babygirl babygirl1 babygirl12 babygirl123 babyboy1 beautiful beautiful1 blessed1 jesus123 jesuschrist godisgood
godbless familyfamily family123 friends1 friends123 friendship remember remember1 secret123 secret1234 nothing1
computer! hello123 hello1234 hello12345 hellohello helloworld helloworld1 hello123! qwaszx123 qazwsx12 qazwsx123
qazwsxedc qazwsxedc1 qazwsxedcrfv wasdwasd access14 accessaccess access123 login123 loginlogin temp1234 temppass
temporary temporary1 security security1 service1 support1 support123 system123 manager1 manager123 marketing
marketing1 training1 student1 student123 teacher1 teacher123 school123 soccer123 soccer12 tennis123 dolphins cowboys1
steelers packers1 lakers24 yankees1 redskins eagles123 panther1 trinity1 phoenix1 thunder1 lightning godzilla
metallica metallica1 nirvana1 slipknot slipknot1 greenday1 eminem123 rockstar1 rock1234 gangster hardcore playstation
playboy1 xbox360x nintendo minecraft minecraft1 fortnite fortnite1 roblox123 counterstrike warcraft naruto123
sasuke123 onepiece onepiece1 pikachu1 doraemon doraemon1 hellokitty kittycat hotmail1 yahoo123 dkssudgktpdy
qlalfqjsgh tkfkdgody tkfkdgo12 rkskekfk sarangheyo saranghae saranghae1 korea1234 korea123 seoul1234 seoul123
daehanminguk sakura123 nihongo1 tokyo123 aishiteru doudemoii marquee1 marquee123 marquee1234 video123 videovideo
store123 storestore shop1234 shopping shopping1 movie123 movies123 films123
`.split(/\s+/),
)

/** Whether each character follows the one before by the same step: `12345678`, `aaaaaaaa`. */
const isRun = (characters: readonly string[]) => {
  const steps = characters.slice(1).map((one, at) => (one.codePointAt(0) ?? 0) - (characters[at]?.codePointAt(0) ?? 0))
  return steps.every((step) => Math.abs(step) <= 1 && step === steps[0])
}

/**
 * Whether a password is among the first that everyone tries: a common one, a run of characters, or
 * one without a visible character.
 */
export const isCommonPassword = (password: string): boolean => {
  const typed = trimText(normalized(password).toLowerCase())
  return commonPasswords.has(typed) || isRun([...typed])
}
