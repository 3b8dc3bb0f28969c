/** Banks that take deposits and refunds, by PortOne's code: first the name shown, then others that people write. */
const names: Record<string, readonly string[]> = {
  KOOKMIN: ['KB국민은행', '국민', '국민은행', 'KB', 'KB Kookmin', 'Kookmin'],
  SHINHAN: ['신한은행', '신한', 'Shinhan'],
  WOORI: ['우리은행', '우리', 'Woori'],
  HANA: ['하나은행', '하나', 'KEB하나', 'Hana'],
  NONGHYUP: ['NH농협은행', '농협', '농협은행', 'NH', 'Nonghyup'],
  LOCAL_NONGHYUP: ['지역농축협', '단위농협', '축협'],
  IBK: ['IBK기업은행', '기업', '기업은행', 'Industrial Bank of Korea'],
  KDB: ['KDB산업은행', '산업', '산업은행'],
  STANDARD_CHARTERED: ['SC제일은행', '제일', 'SC제일', 'Standard Chartered'],
  CITI: ['한국씨티은행', '씨티', '씨티은행', 'Citibank'],
  SUHYUP: ['수협은행', '수협', 'Suhyup'],
  DAEGU: ['iM뱅크', '대구', '대구은행', 'Daegu'],
  BUSAN: ['부산은행', '부산', 'Busan'],
  KYONGNAM: ['경남은행', '경남', 'Kyongnam'],
  KWANGJU: ['광주은행', '광주', 'Kwangju'],
  JEONBUK: ['전북은행', '전북', 'Jeonbuk'],
  JEJU: ['제주은행', '제주', 'Jeju'],
  KFCC: ['새마을금고', '새마을', 'MG', 'MG새마을금고'],
  SHINHYUP: ['신협', '신용협동조합', 'Shinhyup'],
  SAVINGS_BANK: ['저축은행', '상호저축은행'],
  POST: ['우체국', '우체국예금', 'Korea Post'],
  K_BANK: ['케이뱅크', 'K뱅크', 'K bank'],
  KAKAO: ['카카오뱅크', '카카오', 'Kakao bank'],
  TOSS: ['토스뱅크', '토스', 'Toss bank'],
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s·().-]|은행$|bank$/g, '')

const codes = new Map(
  Object.entries(names).flatMap(([code, [first = code, ...others]]) =>
    [code, first, ...others].map((name) => [plain(name), code] as const),
  ),
)

/** PortOne's code of a bank, by a name that a person wrote; null for one we do not know. */
export const bankCode = (name: string): string | null => codes.get(plain(name)) ?? null

export const bankName = (code: string): string => names[code]?.[0] ?? code

export const isBank = (code: string) => Object.hasOwn(names, code)
