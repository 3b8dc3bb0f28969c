import type { AuditActor } from '#api/platform/audit.ts'
import { type Clock, type Ctx, type Failure, invalidField, isFailure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { withTranslations } from '#api/platform/i18n/translations.ts'
import { agreedPages, type StorePage } from '#contract/admin/content.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CustomerId } from '#contract/ids.ts'
import { insertPages } from './content.queries.ts'
import { listAllPages, viewPage } from './content.ts'
import { changeContent, contentKinds, createContent, moveContent, viewContent } from './edit-content.ts'

interface StarterPage {
  type: string
  title: string
  body: string
}

/** Marks text that the operator must write. The launch checklist reports it. */
const draftMark = '[DRAFT]'
const draft = (note: string, paragraphs: readonly string[]) =>
  [`<p><strong>${draftMark} ${note}</strong></p>`, ...paragraphs].join('\n')

const english = (): StarterPage[] => {
  const note =
    'Sample text. Adapt it to your business, have it reviewed under the law of your country, then delete this line.'
  return [
    {
      type: 'terms',
      title: 'Terms of use',
      body: draft(note, [
        '<p>These terms apply between you and [FILL IN: company].</p>',
        '<h2>Your purchases</h2><p>Titles you buy or rent are for your personal use, for the period shown on their page.</p>',
        '<h2>Acceptable use</h2><p>You may not copy, publish or share our content with others.</p>',
        '<h2>Contact</h2><p>Email us at [FILL IN: email]. These terms do not limit your rights under the consumer law of your country.</p>',
      ]),
    },
    {
      type: 'privacy',
      title: 'Privacy',
      body: draft(note, [
        '<p>[FILL IN: company] processes your name, email address, purchases and watch history to provide this service.</p>',
        '<p>Payment records are kept for as long as the law requires. You can view, download and delete your data in Your account, or email us at [FILL IN: email].</p>',
      ]),
    },
    {
      type: 'refund',
      title: 'Refunds',
      body: draft(note, [
        '<p>Titles you haven’t opened are refunded in full within 7 days of payment. Request a refund in Your account.</p>',
        '<p>Titles that don’t play on a common, current device are refunded at any time: [FILL IN: email].</p>',
      ]),
    },
    {
      type: 'about',
      title: 'About us',
      body: draft('Tell visitors about your company, then delete this line.', ['<p>[FILL IN: about us]</p>']),
    },
  ]
}

const korean = (): StarterPage[] => {
  const note = '예시입니다. 사업에 맞게 고쳐 쓰고 법률 검토를 받은 뒤 이 줄을 지워 주세요.'
  return [
    {
      type: 'terms',
      title: '이용약관',
      body: draft(note, [
        '<p>이 약관은 [FILL IN: 상호]와(과) 회원 사이의 서비스 이용 조건을 정합니다.</p>',
        '<h2>이용</h2><p>구매한 상품은 상품 페이지에 적힌 기간 동안 본인만 이용할 수 있습니다.</p>',
        '<h2>금지 사항</h2><p>콘텐츠를 복제, 배포하거나 다른 사람에게 제공할 수 없습니다.</p>',
        '<h2>문의</h2><p>[FILL IN: 이메일]로 연락해 주세요. 관계 법령에 따른 소비자의 권리는 그대로 보장됩니다.</p>',
      ]),
    },
    {
      type: 'privacy',
      title: '개인정보 처리방침',
      body: draft(note, [
        '<p>[FILL IN: 상호]는 이름, 이메일, 구매 내역, 시청 기록을 서비스 제공을 위해 처리합니다.</p>',
        '<p>결제 기록은 관계 법령이 정한 기간 동안 보관합니다. 마이페이지에서 내 정보를 열람, 내려받기, 삭제할 수 있으며 [FILL IN: 이메일]로 요청할 수도 있습니다.</p>',
      ]),
    },
    {
      type: 'refund',
      title: '환불 안내',
      body: draft(note, [
        '<p>결제일로부터 7일 이내에 열어 보지 않은 상품은 전액 환불해 드립니다. 마이페이지에서 신청해 주세요.</p>',
        '<p>일반적인 최신 기기에서 재생되지 않는 상품은 언제든 환불해 드립니다: [FILL IN: 이메일]</p>',
      ]),
    },
    {
      type: 'about',
      title: '회사 소개',
      body: draft('어떤 곳인지 소개하고 이 줄을 지워 주세요.', ['<p>[FILL IN: 소개]</p>']),
    },
  ]
}

const japanese = (): StarterPage[] => {
  const note =
    '文例です。お店の実情に合わせて書き直し、お住まいの国の法律に詳しい方の確認を受けてから、この行を消してください。'
  return [
    {
      type: 'terms',
      title: '利用規約',
      body: draft(note, [
        '<p>本規約は、[FILL IN: 会社名]のサービスをご利用いただく際の条件を定めるものです。</p>',
        '<h2>ご利用について</h2><p>購入された商品は、商品ページに記載された期間中、購入されたご本人のみがご利用いただけます。</p>',
        '<h2>禁止事項</h2><p>コンテンツを複製、公開、または第三者に提供することはできません。</p>',
        '<h2>お問い合わせ</h2><p>[FILL IN: メールアドレス]までご連絡ください。法令で認められた消費者の権利は、本規約によって制限されません。</p>',
      ]),
    },
    {
      type: 'privacy',
      title: 'プライバシーポリシー',
      body: draft(note, [
        '<p>[FILL IN: 会社名]は、サービスを提供するために、お名前、メールアドレス、購入履歴、視聴履歴、再生位置を取り扱います。</p>',
        '<p>お支払いの記録は、法令で定められた期間保管します。ご自身の情報は、マイページから確認、ダウンロード、削除ができます。[FILL IN: メールアドレス]へのご依頼も承ります。</p>',
      ]),
    },
    {
      type: 'refund',
      title: '返金について',
      body: draft(note, [
        '<p>お支払いから7日以内で、まだ開いていない商品は全額返金いたします。マイページからお申し込みください。</p>',
        '<p>一般的な最新の機器で再生できない商品は、期限を問わず返金いたします。[FILL IN: メールアドレス]までご連絡ください。</p>',
      ]),
    },
    {
      type: 'about',
      title: '会社概要',
      body: draft('どのようなお店かを紹介してから、この行を消してください。', ['<p>[FILL IN: お店と作品の紹介]</p>']),
    },
  ]
}

const arabic = (): StarterPage[] => {
  const note = 'هذا مثال. ليكتب هذه الصفحة من يعرف قانون بلدك، ثم احذف هذا السطر.'
  return [
    {
      type: 'terms',
      title: 'شروط الاستخدام',
      body: draft(note, [
        '<p>تسري هذه الشروط بينك وبين [FILL IN: اسم الشركة].</p>',
        '<h2>ما تحصل عليه</h2><p>ما تشتريه لاستخدامك وحدك، طوال المدة المذكورة في صفحته.</p>',
        '<h2>ما نطلبه منك</h2><p>لا تنسخ ما تجده هنا ولا تنشره ولا تعطه لغيرك.</p>',
        '<h2>إذا حدث خطأ</h2><p>راسلنا على [FILL IN: البريد الإلكتروني]. ويبقى قانون حماية المستهلك في بلد إقامتك ساريًا لصالحك.</p>',
      ]),
    },
    {
      type: 'privacy',
      title: 'الخصوصية',
      body: draft(note, [
        '<p>تحتفظ [FILL IN: اسم الشركة] باسمك وعنوان بريدك الإلكتروني وما اشتريته وما شاهدته وأين توقفت، ليعمل المتجر من أجلك.</p>',
        '<p>تُحفظ سجلات الدفع المدة التي يوجبها القانون. يمكنك الاطلاع على بياناتك وتنزيلها وحذفها من «صفحتي»، أو مراسلتنا على [FILL IN: البريد الإلكتروني].</p>',
      ]),
    },
    {
      type: 'refund',
      title: 'استرداد المبالغ',
      body: draft(note, [
        '<p>يُرد ثمن ما لم تفتحه كاملًا خلال سبعة أيام من الدفع. اطلب ذلك من «صفحتي».</p>',
        '<p>ما لا يعمل على جهاز حديث شائع يُرد ثمنه في أي وقت: راسلنا على [FILL IN: البريد الإلكتروني].</p>',
      ]),
    },
    {
      type: 'about',
      title: 'من نحن',
      body: draft('عرّف الزوار بنفسك، ثم احذف هذا السطر.', ['<p>[FILL IN: من نحن وماذا نصنع]</p>']),
    },
  ]
}

const byLocale: Record<Locale, () => StarterPage[]> = { en: english, ko: korean, ja: japanese, ar: arabic }

/** Adds the pages that every store needs to a new store, as drafts in its language. */
export const insertStarterPages = (
  db: TenantDb,
  clock: Clock,
  { id, locale }: { id: CustomerId; locale: Locale },
): Promise<void> => insertPages(db, id, byLocale[locale](), clock.now())

type PageFields = Pick<StorePage, 'title' | 'body'>

type PageTranslations = Record<string, Partial<Record<keyof PageFields, string | null | undefined>>>

/** What is left out stays as it is. */
interface PageChange {
  type: string
  title?: string | undefined
  body?: string | undefined
  isDraft?: boolean | undefined
  startsAt?: string | null | undefined
  endsAt?: string | null | undefined
  planned?:
    | (Omit<NonNullable<StorePage['planned']>, 'translations'> & { translations: PageTranslations })
    | null
    | undefined
  translations?: PageTranslations | undefined
}

/** Why a page that members agree to cannot be hidden from them; undefined if it stays. */
const hidesAgreedPage = (
  { locale }: Pick<Ctx, 'locale'>,
  { type, isDraft, startsAt, endsAt }: Pick<PageChange, 'type' | 'isDraft' | 'startsAt' | 'endsAt'>,
): Failure | undefined => {
  if (!agreedPages.includes(type)) return undefined
  const [field] = Object.entries({ isDraft, startsAt, endsAt }).flatMap(([name, value]) => (value ? [name] : []))
  const i18n = messagesOf(locale)
  const message = i18n._('Members agree to this page, so it stays published. Plan new texts instead.')
  return field === undefined ? undefined : invalidField(field, message)
}

/**
 * Creates the last page. One that members agree to is published at once: sign-ups name its version
 * from then on. Failures: CONFLICT if there is a page of the type, VALIDATION_FAILED for a
 * period of a page that members agree to.
 */
export const createPage = async (
  ctx: Ctx,
  by: AuditActor,
  { isDraft = false, startsAt = null, endsAt = null, ...fields }: PageFields & Omit<PageChange, 'planned'>,
) => {
  const refused = hidesAgreedPage(ctx, { type: fields.type, startsAt, endsAt })
  if (refused) return refused
  const isHidden = isDraft && !agreedPages.includes(fields.type)
  const columns = { ...fields, isDraft: isHidden, startsAt, endsAt, updatedAt: ctx.clock.now().toISOString() }
  return (await createContent(ctx, contentKinds.page, { by, id: fields.type }, columns)) ?? viewPage(ctx, fields.type)
}

/**
 * Changes a page as the caller saw it, or what it is from a later time on. Its date moves with its
 * text and when it is published, because members agree to a version of a page. Failures:
 * NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED.
 */
export const changePage = async (
  ctx: Ctx,
  by: AuditActor,
  expected: string | null,
  { type, planned, isDraft, startsAt: begins, endsAt, ...texts }: PageChange,
) => {
  const [now, i18n] = [ctx.clock.now(), messagesOf(ctx.locale)]
  const startsAt = planned && new Date(planned.startsAt)
  if (startsAt && startsAt <= now)
    return invalidField('planned.startsAt', i18n._('Enter a time that is still to come.'))
  const input = {
    ...texts,
    isDraft,
    startsAt: begins,
    endsAt,
    planned: startsAt
      ? {
          ...planned,
          startsAt: startsAt.toISOString(),
          translations: withTranslations({}, planned.translations),
        }
      : planned,
  }
  const content = await viewContent(ctx, contentKinds.page, type, { lock: true })
  if (isFailure(content)) return content
  const wasDraft = content.row.isDraft
  const refused = hidesAgreedPage(ctx, { type, startsAt: begins, endsAt, isDraft: isDraft && !wasDraft })
  if (refused) return refused
  const isNew = (wasDraft && isDraft === false) || Object.values(texts).some((text) => text !== undefined)
  const derived = isNew ? { updatedAt: now.toISOString() } : {}
  const write = { by, expected, id: type }
  return (await changeContent(ctx, contentKinds.page, write, input, derived)) ?? viewPage(ctx, type)
}

interface PageMove {
  type: string
  position: number
}

/** Moves a page. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT. */
export const movePage = async (ctx: Ctx, by: AuditActor, expected: string | null, { type, position }: PageMove) =>
  (await moveContent(ctx, contentKinds.page, { by, expected, id: type }, position)) ?? listAllPages(ctx)
