import { type MailContent, mailTemplate } from '../template.ts'

interface Goodbye {
  name: string
  /** Orders whose records the law asks to keep. */
  keptOrders: number
}

const mail = (title: string, text: string, kept: string | null): MailContent => ({
  subject: title,
  title,
  blocks: [{ kind: 'text', text }, ...(kept ? [{ kind: 'note' as const, text: kept }] : [])],
})

/** The last mail, after a withdrawal. */
export const goodbyeMail = mailTemplate<Goodbye>('goodbye', {
  en: ({ name, keptOrders }, { store }) =>
    mail(
      `Your account at ${store} is closed`,
      `Goodbye ${name}. Your account was closed as you wished, and your personal data were erased.`,
      keptOrders > 0
        ? `The records of ${keptOrders === 1 ? 'one order' : `${keptOrders} orders`} are kept without your name for as long as the law asks.`
        : null,
    ),
  ko: ({ name, keptOrders }, { store }) =>
    mail(
      `${store} 회원 탈퇴가 완료되었습니다`,
      `${name}님, 요청하신 대로 탈퇴 처리되었으며 개인정보가 삭제되었습니다. 그동안 이용해 주셔서 감사합니다.`,
      keptOrders > 0 ? `주문 ${keptOrders}건의 거래 기록은 법에서 정한 기간 동안 이름 없이 보관됩니다.` : null,
    ),
  ja: ({ name, keptOrders }, { store }) =>
    mail(
      `${store}の退会手続きが完了しました`,
      `${name}様、お申し出のとおり退会手続きを行い、個人情報を削除しました。これまでのご利用ありがとうございました。`,
      keptOrders > 0 ? `ご注文${keptOrders}件の取引記録は、法律で定められた期間、お名前を除いて保管されます。` : null,
    ),
  ar: ({ name, keptOrders }, { store }) =>
    mail(
      `أُغلق حسابك في ${store}`,
      `إلى اللقاء ${name}. أُغلق حسابك كما رغبت ومُحيت بياناتك الشخصية.`,
      keptOrders > 0 ? `تُحفظ سجلات طلباتك (${keptOrders}) من دون اسمك طوال المدة التي يفرضها القانون.` : null,
    ),
})
