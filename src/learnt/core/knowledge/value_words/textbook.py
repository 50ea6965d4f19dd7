"""General knowledge: its vocabulary and its manner of speaking, in both languages."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from learnt.core.knowledge.value_words.textbook_more import LINKS_ZH, MORE, MORE_ZH
from learnt.core.tokens import STOP_WORDS, names

# What a sentence of a textbook is made of: technology, its notions, and the verbs that go with
# them. A sentence of nothing else is about no project.
TEXTBOOK: Final = MORE | frozenset(
    """
    abstract abstraction access accessibility accessor accuracy acid across action activate
    activation activity actor add additional address aes affect against aggregate aggregation
    agile ajax alert algorithm alias align allocate allow alpine already always amend among
    amortised amortized angular annotation anonymous another ansible apache api app append
    application apply apt architecture archive argument aria arm arrange array arraylist ascii
    assert assertion assign assignment associate asymptotic async asynchronous asyncio atomic
    atomicity attach attack attacker attention attribute auth authenticate authentication
    authorise authority authorization authorize automate automatic automatically availability
    available average avoid await awk aws azure babel backend background backpropagation backup
    balance balancer bandwidth base bash basic batch bcrypt bdd bean become behave behavior
    behaviour benchmark best between big bigint binary bind bit bits block blocking body
    boilerplate boolean boot borrow borrowed borrowing both bound boundary branch branches
    branching break breakpoint broadcast broker browser brute-force bruteforce bubble bucket
    buckets buffer bug build builder builtin bundle bundler bus byte bytecode bytes c cache
    caching calculate call callable callback called canonical cap capture cardinality cargo
    cascade case cast catch cause central certificate chain change changes channel channels char
    character charset check checkout checksum cherry-pick child children chmod choose chown
    chunk cipher circuit class classification classifier clause clean cleanup cli click
    clickjacking client clone close closure closures cloud cluster cluster's clustered
    clustering cmake coalesce code cohesion cold collation collect collection collector collide
    collision collisions column columns combine comma command commas comment commit commit's
    commits common communicate communication compare compatible compile compiled compiler
    complete complexity component composite composition comprehension comprehensions compress
    compression computation compute computer concept concise concurrency concurrent
    concurrenthashmap condition conditional config configuration configure conflict connect
    connection consist consistency consistent console console.log const constant constant-time
    constraint construct constructor consumer contain container container's content context
    continue continuous control controller convert convolution cookie copy core correct
    correctly cors cost costly count counter coupling covering cpu crash create creates
    credential cron crontab cross csrf css css3 csv curl currency current currying cursor cycle
    daemon data database dataframe dataset datatype date datetime db ddos deadlock debug
    debugger debugging decimal declaration declarative declare decode decorator decorators
    decouple default defer define definition delete delimiter deliver delivery denormalization
    depend dependency deploy deployment deprecated depth deque dequeue derived describe
    descriptor deserialize design destroy destructor detached detect developer development
    deviation device devops dict dictionary diff different digest digit digits dimension direct
    directly directory disable disk dispatch display displays distinct distribute distributed
    django dns docker dockerfile document documentation dom dom's domain double download driver
    drop dropout dry duplicate durability durable dynamic dynamically each earlier early easy
    edge efficient efficiently elastic elasticsearch element email embed embedding emit empty
    emulation enable encapsulation encode encoded encoding encrypt encrypted encryption end
    end-to-end endpoint enforce engine ensure entity entry enum enumeration environment epoch
    equal equality equals error escape escaping eslint ethernet evaluate even event eventual
    eventually every example exception exchange exclusive executable execute execution exist
    exit expand expensive explain explicit exponential export expose express expression extend
    extension external extra extract factorial factory fail failure false fast fast-forward
    faster fault favor feature fetch fiber fibonacci field fifo file filesystem fill filter
    final finally find finish finishes firewall first first-out fit fix flag flask flexbox
    flexible float floating flow flush fold folder follow for force foreach foreign foreign-key
    fork form formal format forward found frame framework free frequency frequent frontend ftp
    full function functional garbage gateway gaussian generally generate generator generators
    generic getter gigabyte gil git gitflow github gitlab give global go golang good goroutine
    goroutines gpio gradient gradle grant graph graphql greedy grep grid group groupby grow
    guarantee guest gui handle handler handshake happen happens hardware hash hashcode hashed
    hashing hashmap head header heap heapsort helm help hence hibernate hide hierarchy high
    higher higher-order histogram history hit hold holds hook hooks hop horizontally host hosts
    hot html html5 http https hydration hypervisor hypothesis i2c icmp id idempotency idempotent
    identical identifier identify identity idiomatic image imap immediate immutable implement
    implementation implicit import improve include incoming increase increment incremental
    indentation independent index indexed indicate individual inference infinite information
    infrastructure inherit inheritance inherits initial initialize inject injection inline inner
    inner-join innerhtml input insert insertion inside inspect install instance instanceof
    instant instead instruction int integer integrate integration integrity intellij interact
    interface intermediate internal internet interpret interpreted interpreter interrupt
    interval introduce invoke ip ipv4 ipv6 isolate isolated isolates isolation item iterable
    iterate iteration iterator java javascript job join joins jpa js json jsonp jsx junit jvm
    jwt kafka kanban keep-alive keeps kernel key key's key-value keys keyword kilobyte kilobytes
    kiss known kotlin kubectl kubernetes label labels lambda lambdas lan language large last
    last-in latency later latest layer layout lazy lead leak learn learning least left length
    let lets letters level lexical library lifecycle lifetime lifetimes lightweight like limit
    line linear linearly link linkedlist lint linter linux list listen listener listing lists
    literal little load loader local localstorage locate location lock locking log logarithmic
    logger logging logic logical login long lookup loop loosely loss low lower lru mac machine
    macos main maintain maintainability major makes manage manager manifest manipulate
    many-to-many map mapping margin mark markdown markup mask master match matching math matrix
    maven maximum md5 mean meaning means measure mebibyte mechanism median megabyte member
    memoise memoize memory merge mergesort message metaclass metadata method metric microservice
    microservices middle middleware migration mime min minified minimum minor missing mixin
    mobile mock mode model modern modifier modify module modulo monad monads mongodb monitor
    monolith mount move multiple multiplication multithreading mutable mutates mutation mutex
    mvc mysql named namespace native navigate need negative nest nested network neural neuron
    never nginx node nodejs nodes noise non-null nonempty normal normalization normalize nosql
    notation notify npm nth null nullable nullpointerexception nulls number numbers numeric
    numpy oauth object object-oriented observer obtain occur offset often oldest omit once one
    only open open-source operand operate operating operation operator optimise optimistic
    optimization optimize optimizer option optional oracle orchestrate orchestration order
    ordered ordering origin orm os other otherwise outer output overfit overfitting overflow
    overhead overload overloading override overwrite own owner ownership package packet padding
    page pagination pair pandas panic parallel parallelism parameter parent parse parser part
    partial partition pass password patch path pattern payload peer pepper per perform
    performance periodic permission permutation persist persistent pessimistic phase phishing
    physical ping pip pipe pipeline place plain plaintext platform plugin pod point pointer
    polling polymorphic polymorphism polynomial pool pooling pop popular populate port portable
    position positive post postgres postgresql power practice precise precision predefined
    predicate predict preferred prefix prepare present preserve prevent primary primary-key
    prime primitive principle print prints priority private probability procedure process
    processing processor produce producer product production program programming progress
    project prometheus promise promises prompt prop proper property props protect protected
    protocol prototype provide provider proxy public publish pull pull-up pure purely purpose
    push pwa python pytorch quadratic quality query queue quick quickly quicksort race radix ram
    random range rank rate raw re-render react react's read read-only readability readable
    reader real rebase rebuild recall receive recent recommended recompute record records
    recover recovery recursion recursive redirect redis redo reduce reducer redundancy redundant
    reentrant ref refactor refactoring refer reference referential referentially refers
    reflection regex register registry regression regular regularization reject relate related
    relation relational relationship release reliable relu remain remedies remedy remote remove
    removes render repeat repeatable replace replica replicate replication repository represent
    representation request require rerender resistor resolve resource respond response
    responsive rest restart restful result retain retrieve retrospective retry return reusable
    reuse reverse revert review rewrite right role rollback root roughly round route router
    routing row rows rpc rsa rule run runtime rust safe salt salted same sample sandbox sanitise
    sanitization sanitize save scalability scalable scale scan schedule scheduler schema scope
    screen script scrum search secondary secret section secure securely security segfault
    segment segmentation select selector semantic semaphore semver send sensitive seo separate
    separator sequence sequential serializable serialization serialize serve server serverless
    service session set setinterval setter settimeout setting several sftp sha256 shallow shape
    shard sharding share shared shell short shows side signal signature signed significant
    similar simple simultaneous simultaneously single singleton size skip slice slow small
    smaller smtp socket softmax software solid solve sort sorted source spa space span spark
    specific specified specify spi split spring sprint sql sqlite squash ssd sse ssh ssl ssr
    stable stack stackoverflow stage staged staging standard start starting starvation stash
    stashes state stateless statement static statistical status stays step sticky stop stopping
    storage store stored stream string stringbuilder strong strongly struct structure structured
    stub style subclass subnet subquery subset substring successful suitable sum sums super
    superclass supervised support suppress swagger swap switch symbol symmetric sync
    synchronization synchronize synchronized synchronous syntactic syntax syscall system table
    tag tags tail take target task tcp tdd tear technique template temporary tensor tensorflow
    term terminal terminate terraform test tester testing text than then thread threads three
    throughput throw thus time timeout timestamp timezone tinyint tls together token tokenize
    tokenizer tool top trace track tracked traffic trailing train training transaction
    transactional transfer transform transformation transformer transient transition translate
    transmission transmit transport traverse tree treemap trigger true trust truth try tuple two
    type typed typescript typically uart ubiquitous ubuntu udp unary unbounded unchanged
    undefined underfit understand undo unhandled unicode uniform union unique uniquely unit unix
    unlike unsigned unsorted unstage unstaged unsupervised until untracked unused update upload
    upper uri url usage use useState usecallback useeffect usememo user userland usestate
    usually utc utf utf-8 util uuid valid validate validation value varchar variable variance
    vector venv verb verify version vertical vertically via view viewport virtual virtual-dom
    virtualenv visible visit vm void volatile voltage volume vpn vue vulnerability wait wan warn
    warning waterfall weak web webhook webpack websocket websockets weight wheel where whereas
    whether while whitespace whole wide widely width wifi wildcard window windows wireless
    within without word work worker wrap wrapper write writer xml xmlhttprequest xss yagni yaml
    yarn yield zero zip zone
    """.split()
)

# The same in Chinese: what remains beside these is what a statement is about.
TEXTBOOK_ZH: Final = MORE_ZH | frozenset(
    """
    编程 语言 解释型 编译型 编译 编译器 解释器 面向对象 函数式 对象 类 继承 封装 多态 抽象 接口
    实现
    方法 函数 参数 返回值 返回 变量 常量 作用域 闭包 回调 异步 同步 阻塞 非阻塞 并发 并行 线程 进程
    协程 线程池 锁 死锁 互斥 互斥锁 乐观锁 悲观锁 分布式锁 竞争 条件 信号量 原子 原子性 一致性
    隔离性
    持久性 事务 隔离级别 隔离 提交 回滚 脏读 幻读 可重复读 索引 主键 外键 唯一 约束 联合索引
    聚簇索引
    聚集 覆盖索引 最左前缀 前缀 查询 慢查询 全表扫描 扫描 优化器 执行计划 执行 数据库 关系型
    非关系型
    关系 表 字段 行 列 视图 存储过程 触发器 范式 规范化 冗余 分库分表 分库 分表 分片 主从复制
    主从 复制
    读写分离 读写 读 写 缓存 缓存穿透 缓存击穿 缓存雪崩 穿透 击穿 雪崩 淘汰 过期 内存 内存泄漏 泄漏
    垃圾回收 垃圾 回收 堆 栈 堆栈 溢出 指针 引用 静态 动态 类型 强类型 弱类型 泛型 整数 整型 浮点数
    浮点 精度 字符串 字符 字符集 编码 字节 位 布尔 数组 链表 队列 集合 哈希 哈希表 散列 字典
    映射 树
    二叉树 平衡 红黑树 图 排序 快速排序 冒泡 归并 二分查找 查找 遍历 递归 迭代 迭代器 生成器
    循环 算法
    时间复杂度 空间复杂度 复杂度 数据结构 数据 结构 设计模式 单例 单例模式 工厂 工厂模式 观察者
    代理
    装饰器 模式 架构 微服务 单体 服务 服务器 客户端 前端 后端 浏览器 网页 网络 协议 请求 响应
    请求头
    状态码 状态 无状态 会话 令牌 认证 授权 鉴权 加密 解密 对称 非对称 非对称加密 公钥 私钥 签名
    证书
    摘要 哈希值 安全 攻击 注入 跨站 脚本 跨站脚本 跨域 同源策略 同源 防火墙 端口 地址 域名 解析
    路由
    网关 负载均衡 负载 均衡 反向代理 集群 节点 高可用 可用性 容错 分区 容灾 扩展 水平 垂直 扩容
    消息
    消息队列 生产者 消费者 发布 订阅 幂等 幂等性 重试 超时 限流 熔断 降级 削峰 解耦 耦合 内聚
    高内聚
    低耦合 依赖 依赖注入 控制反转 框架 库 工具 包 包管理 模块 组件 组件化 生命周期 渲染 虚拟 响应式
    双向绑定 绑定 事件 监听 冒泡 捕获 异常 错误 日志 调试 测试 单元测试 集成测试 回归测试
    覆盖率 断言
    持续集成 持续 集成 交付 部署 容器 镜像 虚拟机 内核 操作系统 系统 文件 文件系统 目录 权限
    用户 命令
    命令行 终端 脚本 环境 环境变量 配置 版本 版本控制 仓库 分支 合并 冲突 暂存区 工作区 远程
    克隆 拉取
    推送 源码 开源 机器学习 深度学习 神经网络 模型 训练 过拟合 欠拟合 损失 梯度 梯度下降 回归
    分类 聚类
    特征 样本 标签 参数 正则化 准确率 召回率 精确率 向量 矩阵 概率 分布 方差 均值 期望 标准差
    流 批处理
    流处理 分布式 调度 任务 定时 定时任务 表达式 正则 正则表达式 匹配 序列化 反序列化 格式
    时间戳 时区
    毫秒 秒 分钟 小时 天 进制 二进制 十六进制 八进制 十进制 补码 符号 有符号 无符号 范围 最大
    最小 最大值 最小值
    默认 默认值 空 空值 空指针 字面量 关键字 标识符 语句 语法 注释 声明 定义 调用 重载 重写
    构造 构造函数
    析构 实例 实例化 属性 成员 私有 公有 公共 全局 局部 硬件 磁盘 硬盘 固态 带宽 延迟 吞吐量
    吞吐 性能
    效率 速度 速率 可靠 可靠性 可靠传输 传输 三次握手 四次挥手 握手 连接 长连接 短连接 套接字
    数据包 报文
    层 应用层 传输层 网络层 分层 七层 内边距 外边距 边框 盒模型 元素 节点 选择 特性 一致 总线
    上拉 下拉 电阻 电平 高电平 低电平 信号 电压 中断
    寄存器 引脚 范式 属性 主属性 非主属性 第一 第二 第三 第三范式
    要求 传递依赖 传递 部分依赖 完全依赖 解码 译码 视频 音频 帧 像素 图片 图像 文本 超文本 标记
    样式 布局 盒模型 选择器 弹性
    语义化 无障碍 广播 单播 组播 子网 掩码 网段 交换机 路由器 局域网 广域网 代码 规范 敏捷 开发
    迭代 需求 重构 可读性 可维护性
    可维护 单一职责 职责 原则 开闭 里氏替换 面向切面 切面 反射 注解 元编程 宏 模板 流程
    流程控制 分支语句 三元 运算符 运算 位运算
    短路 赋值 深拷贝 浅拷贝 拷贝 值传递 传值 装箱 拆箱 自动装箱 编码规范 命名 驼峰 下划线 防抖
    节流 懒加载 预加载 首屏 打包 压缩包
    热更新 热部署 灰度发布 蓝绿 滚动 回退 快进 变基 暂存 贮藏 标签页 数据仓库 数据湖 维度
    事实表 维度表 星型 雪花 拉链 宽表 明文 密文 密码 压缩 解压 备份 恢复 快照 增量 全量 副本
    冗余 主流
    """.split()
)
# Subjects of textbooks: a sentence that opens with one, bare or with "a", is about no project.
TECHNOLOGY: Final = (
    r"^(?:an? |the |in )?(?:`|□ ?)?(?:python|javascript|typescript|java|kotlin|rust|golang|go|"
    r"c\+\+|"
    r"react|vue|angular|docker|kubernetes|k8s|git|sql|mysql|postgres\w*|sqlite|redis|mongodb|"
    r"kafka|"
    r"rabbitmq|nginx|linux|unix|bash|http|https|tcp|udp|dns|tls|rest|graphql|grpc|json|yaml|xml|"
    r"html|css|jwt|oauth|cors|utf-?8|npm|pip|maven|gradle|spring|django|flask|node(?:\.?js)?|"
    r"elasticsearch|terraform|ansible|helm|aws|pandas|numpy|pytorch|tensorflow|spark|hadoop|hive|"
    r"flink|airflow|webpack|vite|eslint|pytest|junit|jest|selenium|swift|android|ios|flutter)\b"
)
DEFINES: Final = (
    (
        r"\b(?:is|are) (?:an?|the) (?:\w+ ){0,3}(?:way|kind|type|form|process|technique|method|"
        r"pattern|principle|protocol|language|framework|library|tool|format|structure|"
        r"algorithm|mechanism|concept|standard|function|operation|practice|platform|system|"
        r"database|property|design|syntax|abbreviation|acronym|measure|set|attack|problem)\b"
    ),
    r"\b(?:stands for|refers to|is short for|is defined as|is called|is known as|"
    r"also known as)\b",
    r"\b(?:is|are) used (?:to|for|in|by|when)\b|\bconsists? of\b|\bis the (?:process|practice|"
    r"act)\b",
    r"\b(?:allows?|lets?|enables?|helps?) (?:you|us|developers|programs|users|multiple|one)\b",
    r"^(?:an?) \w|\bmeans that\b|\bwhereas\b|\bas opposed to\b|\bin contrast\b|\bunlike\b",
    r"^to (?:\w+ ){1,8}(?:in|with) \w+, (?:use|run|call|type|you)\b|\byou can\b",
)
DEFINES_ZH: Final = (
    r"由.{1,40}组成|有(?:两|三|四|五|六|七|几)(?:个|种|大|类)|会改写|比较安全|的(?:三|四)大|"
    r"是指|指的是|是一种|是一个|是一门|用来|用于|可以(?:用|让|使|避免|提高|加快|防止|减少)|"
    r"的区别|分为|称为|的缩写|能看到|"
    r"常见(?:原因|的)|应(?:该|当)?(?:避免|尽量|相互|保持)|占(?:一|两|四|八|\d)|默认(?:端口|"
    r"是|为)|"
    r"表示(?:请求|资源|未|服务|成功|没)|保证|支持|比.{1,12}(?:快|慢|大|小|高|低|安全|省|更)"
)
OURS: Final = (
    r"\b(?:we|our|ours|us|here|this (?:repo\w*|project|codebase|service|app|team))\b",
    r"\b(?:legacy|staging|prod|production|in-house|nightly|fork|vendor|finance|legal|support|"
    r"ops)\b",
    r"\b\d+\.\d+(?:\.\d+)?\b|\b(?:v\d+|version \d+)\b|\bhttps?://\S|\b[a-z]+-\d+\b|"
    r"\b0x[0-9a-f]+\b",
    r"\b(?:hangs?|silently|breaks|crash(?:es)?|wrecks|clash(?:es)?|flaky|workaround|"
    r"exits? \d+)\b",
    r"\b(?:19|20)\d\d\b|\b\d+ (?:s|ms|minutes|hours|days|months|gb|mb)\b|\b(?:ci|qa|runners?)\b",
)

MANNER: Final = {"opens": (TECHNOLOGY,), "defines": (*DEFINES, DEFINES_ZH), "ours": OURS}

_ROUTE: Final = re.compile(r"(?<![\w/.:<])/[a-z][\w/-]{2,40}")
_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z0-9'+#-]*")
_HANS: Final = re.compile(r"[\u4e00-\u9fff]+")
_LONGEST_TERM: Final = max(map(len, TEXTBOOK_ZH))


def general(text: str, manner: Mapping[str, float], own: int = 0) -> tuple[float, float]:
    """How far a statement is of a textbook's words and manner, 0 to 3; `own` names are against it.

    Then how far its words are a textbook's, 0 to 1, by a wider measure that needs company.

    >>> text = "A mutex protects shared memory."
    >>> general(text, {"opens": 1}) > general(text, {"ours": 1}) > general("Refunds are free.", {})
    True
    """
    foreign, known = _foreign(text)
    if known < 2:
        return 0.0, 0.0
    share = foreign / (foreign + known)
    if share >= 0.5:
        return 0.0, 0.0
    speaks = min(1, manner.get("defines", 0)) + min(1, manner.get("opens", 0))
    ours = min(1, manner.get("ours", 0))
    told = max(0.0, 2 - 8 * share) + (1 - 2 * share) * speaks / 2 - ours - min(2, own)
    return max(0.0, told), 0.0 if own or ours else 1 - 2 * share


def specific(text: str) -> tuple[str, ...]:
    """The names in a text that no textbook has: those of a project.

    >>> specific("`SELECT` from `t_room` by HTTP")
    ('t_room',)
    """
    routes = _ROUTE.findall(text)
    return (*routes, *(name for name in names(text) if not _common(name)))


def _common(name: str) -> bool:
    """Whether a name is any project's: a keyword, a command of a well-known tool."""
    if name.lower() in TEXTBOOK:
        return True
    parts = _WORDS.findall(name)
    joined = any(mark in name for mark in "_./:") or any(c.isdigit() for c in name)
    return (
        not joined
        and bool(parts)
        and all(len(p) < 2 or _listed(p.lower()) or p.lower() in STOP_WORDS for p in parts)
    )


def _foreign(text: str) -> tuple[float, float]:
    """How many words a textbook hasn't, and how many it has."""
    foreign = known = 0.0
    for found in _WORDS.findall(text):
        word = found.lower().removesuffix("'s").strip("'-")
        if word in STOP_WORDS or len(word) < 2:
            continue
        if _listed(word):
            known += 1
        else:
            foreign += 1
    for run in _HANS.findall(text):
        at = 0
        while at < len(run):
            for length in range(min(_LONGEST_TERM, len(run) - at), 0, -1):
                piece = run[at : at + length]
                if piece in TEXTBOOK_ZH:
                    known += 0.5 * length
                    break
                if piece in LINKS_ZH:
                    break
            else:
                length = 1
                foreign += 0.5
            at += length
    return foreign, known


@lru_cache(maxsize=4_096)
def _listed(word: str) -> bool:
    """Whether the vocabulary has a word in one of its forms."""
    if word in TEXTBOOK:
        return True
    for ending in ("s", "es", "d", "ed", "ing", "ly", "er", "ers"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if stem in TEXTBOOK or stem + "e" in TEXTBOOK or stem[:-1] in TEXTBOOK:
                return True
    return word.endswith("ies") and word[:-3] + "y" in TEXTBOOK
