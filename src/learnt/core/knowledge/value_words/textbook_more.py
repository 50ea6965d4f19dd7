"""More of a textbook's vocabulary: what advice, languages and everyday explanations are told in."""

from typing import Final

MORE: Final = frozenset(
    """
    acceptance accidental accidentally adapter advance advisable aggregator amount ancestor answer
    apart arise arrive aside ask avoided backslash bare beginner behind believe below binaries
    body bottleneck brace bracket breakage broken brief briefly bugs carry caller cheap cheaper
    check-in clear clearly clever coder coders colleague collaborate comparable compose concern
    consequence consult contribute convenient convention corner coverage cut deal deep
    default-value dependent describes detail detailed deterministic diagnose diagram difference
    difficult discover divide down drawback duplication ease easily effect effort elsewhere
    empty-string encourage engineer engineering entire entirely escape-sequence everywhere exact
    exactly excessive exhaust expect expected expectation explanatory expression express fact
    factor familiar field-name filename finally find fine fit fix flat float floating
    floating-point focus follow forget form format formatter framework frequent frequently full
    fundamental future garbage gather general globally goal good grow guarantee guess guard habit
    hand happen hard harder hash-table heavy hidden hint hold human idea identical ignored
    imperative important imprecise improper incoming increase incorrect increment independent
    independently indent indentation indicator inner inside install instant instead intermediate
    intermittent intend interval invoke issue job judge keep keyed knowledge known lack
    large-scale last later latter lead leading learn left length-prefix level line literal little
    live locked logically long look lose loss lost made main maintainable maintenance manner
    manual manually mark mean meaning meaningful measure mention message minimal mismatch mistake
    modern modify modular module most motion move naive naming narrow native nature near necessary
    negative neither next none nonempty nontrivial normal normally notation note notice null-value
    numeric numerical obtain obvious occasional occasionally off-by-one official offline omit
    one-liner online opposite optionally ordinary organise organize original outer outline overall
    overhead overlap own pair paradigm paragraph part partial particular pass past path people
    percent person picture piece plaintext plan plus popular position possible practical precisely
    precise precondition predictable prefer preference prepare present print problem proceed prone
    propagate purpose put question rarely rather reach ready reason reasonable recipe recommend
    reduce redundant regardless regularly reject relation reliability relying rely remember
    repeated repeatedly report reproduce reproducible requirement reset rest restore reusability
    reveal reviewer reward rewrite rich risk robust rounding routine run-time runs safely safer
    safety save second secure see seldom sense sensitive separately separation serious seriously
    set shell-script short-circuit shorten shorter silent silently similarly simpler simplicity
    simply sink sit situation slower slowdown slows smart smell snippet solution sometimes soon
    sort space speed spend split stale stand statically step stick straight straightforward
    strategy strength strict strictly style subject suffer suggest suffice sufficient suitable
    summarise summarize summary surprise switching table tabs take talk tell tend text thing think
    thrown tidy time-consuming tip together topic total touch trade-off tradeoff tricky trivial
    trouble troubleshoot twice typical typo unclear uncommitted unauthorized understandable
    understanding unexpected unexpectedly unhandled unicode unnecessary unpredictable unreadable
    unreliable unsafe untrusted up-to-date usable useful useless user's usual vague various
    version-control visible waste weakness well-known why wise wish wisely word work worse worth
    wrong wrongly x-axis year
    """.split()
)
MORE_ZH: Final = frozenset(
    """
    程序 程序员 开发者 开发人员 初学者 新手 工程师 团队 用户输入 输入 输出 校验 验证 检查
    过滤 分组 排序 聚合 去重 筛选 条件 小数 整数 定点数 浮点 舍入 误差 精确 金额 货币
    提交信息 提交 说明 描述 简短 简洁 明确 清晰 易读 易懂 冗长 规则 惯例 约定 习惯 风格
    缩进 空格 换行 括号 引号 逗号 分号 冒号 大写 小写 大小写 驼峰命名 变量名 函数名 类名
    文件名 命名空间 头文件 源文件 可执行文件 二进制文件 字节码 解释 即时编译 垃圾回收器 回收器
    堆内存 栈内存 耗尽 抛出 捕获异常 空指针异常 越界 数组越界 下标 索引 游标 指针 野指针
    悬垂 句柄 描述符 缓冲区 缓冲 流水线 管道 通道 订阅者 发布者 主题 分区 偏移量 消费组
    生产 消费 应答 确认 确认机制 心跳 选举 共识 一致 最终一致性 强一致性 弱一致性 可用
    网络分区 单点故障 故障 故障转移 冗余备份 读锁 写锁 读写锁 自旋锁 排他锁 共享锁 间隙锁
    行锁 表锁 加锁 解锁 释放锁 持有 抢占 竞态 竞态条件 线程安全 上下文 上下文切换 切换
    时间片 调度器 优先级 饥饿 守护 守护进程 子进程 父进程 僵尸 孤儿 信号 中断 系统调用
    用户态 内核态 虚拟内存 分页 缺页 交换 页表 段错误 对齐 大端 小端 字节序 编码方式 转义
    转义字符 通配符 贪婪 懒惰 断言 首部 头部 报头 正文 请求体 响应体 查询参数 路径参数 表单
    提交表单 跳转 重定向 永久 临时 缓存控制 强缓存 协商缓存 浏览器缓存 预检 简单请求 白名单
    黑名单 授权码 访问令牌 刷新令牌 单点登录 登录 登出 注销 密钥 加盐 盐值 盐 彩虹表
    暴力破解 中间人 重放 重放攻击 钓鱼 漏洞 提权 最小权限 权限控制 角色 访问控制 越权 敏感
    敏感信息 脱敏 明文密码 弱口令 口令 审计 合规 备份 还原 冷备 热备 预编译 参数化
    参数化查询 拼接 字符串拼接 执行效率 回表 索引失效 失效 命中 命中率 预热 冷启动 热点 大键
    慢日志 连接池 池化 复用 开销 代价 成本 瓶颈 压力 压力测试 基准 基准测试 剖析 火焰图
    指标 监控 告警 链路 链路追踪 追踪 可观测 可观测性 采样 埋点 日志级别 级别 堆栈信息 断点
    单步 复现 定位 根因 修复 缺陷 补丁 热修复 版本号 主版本 次版本 修订号 语义化版本
    依赖冲突 传递性 锁文件 锁定 镜像层 镜像仓库 编排 容器编排 滚动更新 探针 存活 就绪 副本数
    命名 挂载 卷 数据卷 端口映射 映射 环境隔离 隔离 虚拟环境 包管理器 构建工具 打包工具
    脚手架 模板引擎 中间件 拦截器 过滤器 切点 通知 代理模式 策略模式 适配器 外观 责任链
    建造者 原型 享元 命令模式 模板方法 接口隔离 依赖倒置 迪米特 组合 关联 多重继承 鸭子类型
    类型推断 类型检查 类型转换 隐式 显式 隐式转换 强制 强制转换 自动 手动 常量池 字面 不可变
    可变 可变对象 默认参数 关键字参数 位置参数 可变参数 解包 推导式 列表推导 生成器表达式
    匿名函数 箭头函数 高阶函数 纯函数 副作用 柯里化 尾递归 记忆化 动态规划 贪心 回溯 分治
    剪枝 深度优先 广度优先 最短路径 拓扑排序 有向图 无向图 环 叶子 根节点 子节点 父节点 先序
    中序 后序 层序 堆排序 选择排序 插入排序 归并排序 稳定 不稳定 最坏 最好 平均情况 常数
    线性 对数 平方 指数 级 渐进 空间换时间 时间 空间 单元 集成 端到端 桩 模拟 打桩
    测试用例 用例 边界 边界值 边界条件 等价类 覆盖 冒烟 冒烟测试 验收 测试驱动 驱动 领域
    领域驱动 聚合根 限界 值对象 实体 仓储 分层架构 六边形 整洁 事件驱动 事件溯源 读模型
    命令查询 最终 补偿 两阶段 两阶段提交 三阶段 本地消息表 消息丢失 丢失 重复消费 顺序消费
    死信 死信队列 延迟队列 背压 滑动窗口 令牌桶 漏桶 雪花算法 唯一标识 自增 自增主键 复合主键
    候选键 外连接 内连接 左连接 右连接 连接 子查询 嵌套 笛卡尔积 并集 交集 差集 去除 空集
    聚合函数 窗口函数 通用 标准库 第三方 第三方库 官方 文档 官方文档 手册 教程 示例 注释
    代码审查 审查 评审 结对 结对编程 站会 回顾 看板 用户故事 估算 燃尽图 里程碑 交付物
    技术债 技术债务 债务 坏味道 重复代码 魔法 魔法数字 硬编码 长 短 圈复杂度 可扩展性
    可移植性 可测试性 可复用 健壮性 鲁棒性 易用性 友好 交互 界面 体验 布局 居中 浮动 绝对
    相对 固定 像素 媒体查询 自适应 响应 渲染树 回流 重绘 重排 事件循环 宏任务 微任务
    任务队列 事件冒泡 事件委托 委托 原型链 提升 变量提升 严格模式 模块化 按需 按需加载
    代码分割 分割 摇树 单页 单页应用 服务端渲染 水合 首屏 状态管理 单向数据流 单向 双向 受控
    非受控 钩子 依赖数组 虚拟节点 差异 比对 键 训练集 测试集 验证集 交叉验证 学习率 批次
    轮次 激活函数 卷积 循环神经网络 注意力 嵌入 词向量 分词 特征工程 归一化 标准化 降维
    主成分 决策树 随机森林 支持向量机 朴素 贝叶斯 聚类算法 监督学习 无监督 强化学习 数据集
    缺失值 异常值 相关性 因果 显著 置信区间 采样率 频率 波特率 串口 总线 寄存 看门狗 轮询
    时钟 时钟周期 占空比 脉冲 模数 数模 固件 嵌入式 裸机 实时 实时系统 电流 功耗
    """.split()
)
# What binds any sentence together, and says nothing of what it is about.
LINKS_ZH: Final = frozenset(
    """
    的 了 着 是 在 和 与 或 或者 及 以及 而 也 都 就 才 又 再 还 则 即 指 是指
    指的是 叫 叫做 称为 称 为 被 把 将 让 使 使得 令 给 对 对于 关于 从 到 向 往 由
    由于 因为 因此 所以 如果 当 时 时候 之前 之后 以前 以后 前 后 上 下 里 内 外 中
    间 之间 其中 其 它 它们 他们 我们 你 人 者 这 那 这个 那个 这种 一种 一个 一次
    一类 一组 一条 一段 一份 多个 多种 多次 两个 两种 三个 几个 每个 每次 每一 各个 各种
    各自 所有 任何 某个 某些 其他 其它 另一个 别的 同一个 同一 相同 不同 一样 相等 一致
    会 能 能够 可以 可能 必须 需要 应该 应当 要 用 用来 用于 使用 利用 通过 采用 基于
    作为 具有 有 没有 不 没 无 不会 不能 不可 无法 不需要 只 仅 只能 只有 更 最 比
    比较 很 非常 较 太 越 大 小 多 少 高 低 快 慢 长 短 好 坏 新 旧 强 弱 早 晚
    先 先进先出 后进先出 加快 减慢 拖慢 提高 提升 降低 减少 增加 增大 减小 改善 改变 影响
    导致 引起 造成 产生 发生 出现 避免 防止 保证 确保 保护 支持 提供 包含 包括 组成 构成
    分为 属于 表示 代表 说明 描述 记录 保存 存储 存放 占 占用 占据 释放 申请 分配 管理
    控制 处理 操作 运行 启动 停止 关闭 打开 创建 删除 修改 更新 添加 插入 读取 写入 获取
    得到 等待 对方 互相 相互 彼此 独立 共享 唯一的 重复 多余 常见 常用 常 通常 一般 往往
    经常 主要 重要 基本 简单 复杂 原因 结果 目的 作用 功能 特点 特性 优点 缺点 区别 方式
    方法 过程 步骤 机制 原理 概念 思想 技术 问题 情况 场景 例如 比如 等 等等 如 像 那样
    这样 同时 并 并且 并不 但 但是 不过 然而 而是 而且 不是 不仅 虽然 尽管 即使 无论
    除了 除 之外 以外 可 可见 看到 能看到 已 已经 正在 停止的 在内 个 次 条 种 类 项
    位 份 段 按 按照 根据 依据 先后 顺序 有序 无序 依次 直接 间接 自动 手动 手工 立即
    立刻 永远 始终 总 总是 不变 可变 执行一次 效果 有效 无效 正确 成功 失败 完成 开始
    结束 加 减 乘 除以 加了 一层 建立 断开 发送 接收 收到 传递 返回给 告诉 知道 理解
    认为 称之为 也叫 又叫 又称 俗称 简称 缩写 全称 英文 中文 之一 本身 自己 自身 内部
    外部 底层 上层 整个 全部 部分 局部 单个 单独 找不到 不存在 存在 找到 不到 资源 内容
    信息 值 数 数量 数字 个数 大小 长度 名 名称 键 键值 键值对 一 二 三 四 五 六 七
    八 九 十 百 千 万 两 零 半 倍 应 宜 该 须 需 勿 别 请 务必 切勿 尽量 尽可能
    最好 建议 推荐 不要 不应 不应该 不宜 不得 不必 不依赖 依赖于 取决于 以便 以免 从而
    进而 否则 一旦 只要 除非 与其 不如 宁可 哪怕 既 也是 又是 还是 不可信 可信 信任 仍
    仍然 依然 长时间 短时间 过多 过少 过大 过小 过长 过短 过度 过早 足够 不足 必要 不必要
    合适 适当 合理 恰当 良好 优秀 糟糕 正常 异常 意外 容易 不容易 难以 便于 方便 易 难
    改 改了 改动 为什么 什么 怎么 如何 怎样 哪些 哪个 何时 何处 谁 都是 都会 都要 都能
    就是 就会 才能 才会 再次 一遍 一下 一起 一般来说 通常情况下 大多数 大部分 绝大多数 少数
    个别 其余 之类 有助于 有利于 有些 有时 有可能 很多 许多 若干 至少 至多 最多 最少 超过
    少于 达到 涉及 针对 面对 遇到 碰到 面临 考虑 注意 留意 关注 小心 记得 养成 遵循 遵守
    违反 符合 满足 实现了 做 做到 做法 写 写好 编写 阅读 看 查看 看作 视为 当作 用到 拿
    放 放在 放到 带来 给出 意味着 反之 反过来 换句话说 也就是说 总之 因而 故 于是 随着 随
    逐渐 逐步 慢慢 迅速 快速 及时 定期 经常性 同样 类似 相比 相比之下 更好 更多 更快 更少
    更高 更低 更容易 最常见 最简单 最重要 第一次 第二次 步 层 端 方 式 性 化 器 率 量
    度 型 体 集 组 表 库 码 号 点 线 面 边 头 尾 首 末 左 右 前后 上下 内存中
    数据中 代码中 时间内 过程中 情况下 条件下 以上 以下 以内 之内 不同的 相同的 所需 所有的
    任意
    """.split()
)
