import type { RefusalMessages } from './en.ts';

export const ar: RefusalMessages = {
  intro:
    'الصق رابط طلب تفويض (أو استعلامه)، أو رمز وصول، أو رمز تجديد، أو رمز هوية، أو رمز خروج، أو إثبات عميل، أو كائن طلب، أو رمز تفويض. لا يُحفظ ما تلصقه ولا يُسجَّل ولا يوضع في رابط.',
  field: 'رابط أو رمز',
  check: 'افحص',
  again: 'افحص شيئاً آخر',
  refused: 'رُفض بسبب الفحص «{check}»',
  accepted: 'كل الفحوص ناجحة.',
  undecided: 'لا يفشل أي فحص. بعضها لا يمكن الحكم عليه هنا.',
  caption: 'الفحوص بترتيب الخادم',
  toDo: 'ما العمل',
  answer: 'جواب الخادم',
  toClient: 'أُرسل إلى عنوان إعادة التوجيه للعميل.',
  toUser: 'يظهر للمستخدمين في صفحة خطأ، لأنه لا يوجد عنوان إعادة توجيه آمن.',
  content: 'المحتوى',
  kinds: {
    request: 'طلب تفويض',
    accessToken: 'رمز وصول',
    refreshToken: 'رمز تجديد',
    idToken: 'رمز هوية',
    logoutToken: 'رمز خروج',
    clientAssertion: 'إثبات عميل',
    code: 'رمز تفويض',
    unknown: 'نص غير معروف',
  },
  columns: {
    check: 'الفحص',
    result: 'النتيجة',
    given: 'القيمة المرسلة',
    expected: 'القيمة المقبولة',
    reference: 'المرجع',
  },
  results: { passed: 'ناجح', failed: 'فاشل', skipped: 'لم يُبلَغ', unknown: 'لا يمكن الحكم عليه هنا' },
  checks: {
    kind: { name: 'النص طلب أو رمز', remedy: 'الصق رابطاً أو استعلاماً أو رمزاً كاملاً. رمز خادم آخر غير معروف هنا.' },
    endpoint: {
      name: 'الرابط هو نقطة التفويض لهذا المُصدِر',
      remedy: 'استخدم authorization_endpoint من وثيقة الاكتشاف. شرطة ناقصة أو مضيف آخر أو http بدل https نقطة أخرى.',
    },
    flow: {
      name: 'الرابط يبدأ تدفقاً',
      remedy: 'هذا الرابط يتابع تدفق متصفح آخر ويُستخدم مرة واحدة. ابدأ من جديد عند العميل.',
    },
    limits: {
      name: 'أطوال المعاملات ومحارفها',
      remedy: 'قصّر المعامل، أو أرسل الطلب بـ POST أو PAR. محارف التحكم ممنوعة.',
    },
    clientId: { name: 'يوجد client_id مرة واحدة', remedy: 'أرسل client_id مرة واحدة، مع كائن الطلب أيضاً.' },
    client: {
      name: 'العميل مسجّل',
      remedy: 'قارن client_id بقائمة العملاء. العميل المحذوف أو التابع لمُصدِر آخر غير معروف.',
    },
    redirectUri: {
      name: 'redirect_uri مسجّل',
      remedy: 'سجّل redirect_uri هذا كما هو: يُقارن المخطط والمضيف والمنفذ والمسار والشرطة وحالة الأحرف كنص.',
    },
    once: { name: 'لا يتكرر أي معامل', remedy: 'أرسل كل معامل مرة واحدة. يجوز تكرار resource فقط.' },
    requestSource: { name: 'أحد request وrequest_uri فقط', remedy: 'أرسل كائن الطلب بالقيمة أو بالمرجع، لا كليهما.' },
    requestObject: {
      name: 'كائن الطلب مقبول',
      remedy: 'وقّعه بمفتاح وخوارزمية مسجّلين للعميل، وافحص iss وaud وexp وnbf. سجّل request_uri أو استخدم PAR.',
    },
    pushed: {
      name: 'الطلب المدفوع (PAR)',
      remedy:
        'فُحصت معاملاته عند دفعه. يُستخدم request_uri مرة واحدة من عميله وينتهي قريباً. لا يُفتح هنا لأن ذلك يستهلكه.',
    },
    pushedOnly: {
      name: 'يجوز للعميل الطلب من دون PAR',
      remedy: 'ادفع الطلب إلى /oauth2/par أو أوقف require_pushed_authorization_requests للعميل.',
    },
    signedOnly: {
      name: 'يجوز للعميل إرسال طلبات غير موقّعة',
      remedy: 'أرسل كائن طلب موقّعاً أو أوقف require_signed_request_object للعميل.',
    },
    responseTypeOffered: {
      name: 'الخادم يفعّل response_type',
      remedy:
        'لا يفعّل الخادم نوع الاستجابة هذا: اضبط features.implicit.enabled أو features.hybrid.enabled، أو أرسل response_type=code.',
    },
    responseType: { name: 'response_type مسجّل', remedy: 'أرسل response_type=code أو سجّل نوع الاستجابة.' },
    responseMode: {
      name: 'response_mode مسموح',
      remedy: 'احذف response_mode أو استخدم form_post أو fragment للأجوبة التي فيها رموز.',
    },
    registration: { name: 'الطلب لا يسجّل عميلاً', remedy: 'سجّل العميل قبل طلبه الأول واحذف registration.' },
    replay: {
      name: 'يوجد nonce أو state',
      remedy: 'أرسل nonce عشوائياً جديداً مع كل طلب لرمز هوية في نقطة التفويض؛ يحتاج FAPI 1.0 إلى state من دون openid.',
    },
    prompt: {
      name: 'prompt معروف',
      remedy: 'استخدم login أو consent أو select_account أو create أو none. يكون none وحده.',
    },
    scopeSyntax: {
      name: 'كتابة scope حسب RFC 6749',
      remedy: 'افصل النطاقات بمسافة واحدة. علامات الاقتباس والشرطات العكسية ومحارف أخرى ممنوعة.',
    },
    openid: {
      name: 'النطاق openid مطلوب حيث يلزم',
      remedy: 'أضف openid أو احذف المعاملات التي يعرّفها OpenID Connect وحده.',
    },
    pkce: {
      name: 'تحدي PKCE',
      remedy: 'أرسل code_challenge (من 43 إلى 128 محرفاً) مع code_challenge_method=S256. يُرفض plain.',
    },
    claims: {
      name: 'المعامل claims',
      remedy: '‏claims كائن JSON فيه id_token أو userinfo. يحتاج userinfo إلى رمز وصول.',
    },
    details: { name: 'تفاصيل التفويض', remedy: '‏authorization_details قائمة JSON. يجب ضبط كل نوع وتسجيله للعميل.' },
    resource: { name: 'المورد مسجّل', remedy: '‏resource عنوان مطلق من دون جزء، مضبوط في resources وفي جمهور العميل.' },
    hint: { name: 'id_token_hint رمز هوية لهذا العميل', remedy: 'أرسل رمز هوية صدر لهذا العميل أو احذف التلميح.' },
    scope: { name: 'العميل مسجّل للنطاقات', remedy: 'أضف النطاق إلى العميل أو لا تطلبه.' },
    audience: { name: 'العميل مسجّل للجمهور', remedy: 'أضف الجمهور إلى العميل أو لا تطلبه.' },
    maxAge: { name: 'max_age عدد ثوانٍ', remedy: 'أرسل max_age بأرقام فقط، 0 أو أكبر.' },
    other: { name: 'فحص آخر للخادم', remedy: 'خطأ الخادم يذكر المشكلة. قائمة الأخطاء في الوثائق تشرح كل رمز.' },
    format: { name: 'صيغة الرمز', remedy: 'قُطع الرمز أو غُيّر أو أصدره خادم آخر. قارن المحارف الأولى والأخيرة.' },
    algorithm: { name: 'الرمز موقَّع بخوارزمية مقبولة', remedy: 'يُرفض none وHMAC. استخدم الخوارزمية المسجّلة.' },
    keySource: {
      name: 'مفاتيح العميل معروفة (jwks أو jwks_uri)',
      remedy:
        'سجّل المفاتيح بوصفها jwks، أو اجعل jwks_uri يجيب بـ JWKS عبر https وعلى عنوان عام أو مضيف من outbound.allow. إذا بقيت النتيجة مفتوحة فهذه اللوحة لا تجلب المفاتيح: استخدم لوحة carnet serve أو carnet console.',
    },
    key: { name: 'المفتاح (kid) منشور', remedy: 'أُزيل المفتاح بعد تدوير أو يخص مُصدِراً آخر. احصل على رمز جديد.' },
    signature: { name: 'التوقيع', remedy: 'غُيّر الرمز أو وُقّع بمفتاح آخر.' },
    issuer: { name: 'المُصدِر (iss)', remedy: '‏iss هو رابط المُصدِر لهذا الخادم تماماً، أو client_id في إثبات العميل.' },
    times: {
      name: 'الأوقات (exp, nbf, iat)',
      remedy: 'انتهى الرمز أو لم يصبح صالحاً بعد أو لا يذكر وقتاً. قارن الساعات واحصل على رمز جديد.',
    },
    tokenAudience: { name: 'الجمهور (aud)', remedy: 'الرمز لمستقبِل آخر. سجّل العميل أو استخدم الرمز حيث ينتمي.' },
    typeRules: {
      name: 'بيانات هذا النوع من الرموز',
      remedy: 'لرمز الخروج الحدث وليس له nonce؛ ولرمز الهوية sub. يُرفض رمز نوع على أنه نوع آخر.',
    },
    tokenClient: { name: 'عميل الرمز مسجّل', remedy: 'ليس للعميل المحذوف رموز. سجّله من جديد واحصل على رموز جديدة.' },
    active: {
      name: 'الرمز نشط',
      remedy: 'أُلغي مع تفويضه، أو استُخدم (رمز تجديد)، أو انتهى، أو سُجّل عميله من جديد. تُظهر أحداث العميل ذلك.',
    },
    codeUse: {
      name: 'يُستبدل الرمز مرة واحدة في وقته من عميله',
      remedy:
        'يُستخدم الرمز مرة واحدة وينتهي قريباً ويرتبط بالعميل وعنوان إعادة التوجيه ومحقق PKCE. تذكر أحداث token.refused السبب.',
    },
    method: {
      name: 'العميل مسجّل لـ private_key_jwt',
      remedy: 'اضبط token_endpoint_auth_method على private_key_jwt أو صادِق كما هو مسجّل.',
    },
    assertionId: { name: 'للإثبات معرّف (jti)', remedy: 'أرسل jti عشوائياً جديداً مع كل إثبات.' },
    assertionUse: { name: 'لم يُستخدم الإثبات من قبل', remedy: 'يُقبل كل إثبات مرة واحدة. وقّع إثباتاً جديداً لكل طلب.' },
  },
};
