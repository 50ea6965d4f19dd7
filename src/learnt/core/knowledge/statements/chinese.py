"""Chinese words that mean about the same, and their opposites, one concept a line.

`name: words | opposites`, as in `english`; the names are shared, so that 删除 meets `drop`. Single
characters stand here only where they rarely are a part of another word.
"""

from typing import Final

CONCEPTS: Final = """
remove: 删除 删掉 移除 去掉 清除 清理 清空 清掉 清零 剔除 剔掉 删 清 丢弃 扔掉 丢掉 作废 销毁 \
撤掉 撤销 \
踢出 淘汰 drop 丢掉 | 保留 留着 留存
add: 新增 添加 增加 追加 补上 加上 加入 补进 补充
create: 创建 新建 建立 生成 建了 建在 产生
fail: 失败 报错 出错 崩溃 闪退 抛错 抛异常 异常 出异常 挂掉 挂起 卡住 卡死 崩 拒单 错误 故障 问题 \
毛病 bug \
漏掉 中断 掉线 打垮 | 成功 正常 恢复 好使 没问题 就好了
allow: 允许 可以 能够 支持 准许 放行 受理 接受 可用 适用 准 通过 兼容 \
| 禁止 不得 不准 不许 拒绝 驳回 打回 拦截 拦下 禁掉 严禁 拒收 拒掉 封禁 屏蔽 禁
require: 必须 需要 必填 务必 一定要 应该 应当 必需 强制 要求 必传 一定 需 须 得先 要先 都要 \
| 可选 选填 无需 不用 不必 无须 不需要 不要求 免 非必填 用不着 没必要
enable: 开启 打开 启用 激活 上线 启动 开放 | 关闭 关掉 停用 停掉 下线 禁用 停止 停了 停 关
synchronous: 同步 阻塞 | 异步 后台
ascending: 升序 正序 从小到大 从旧到新 递增 | 降序 倒序 从大到小 从新到旧 递减
include: 包含 包括 算上 计入 算进去 连同 含有 覆盖 | 不含 排除 不包括 去除 过滤 过滤掉 不计 跳过 \
忽略 绕过
nullable: 可为空 为空 允许为空 null 可空 空的 为null | 非空 不可为空 notnull
maximum: 最大 最多 上限 至多 最高 最长 封顶 不超过 以内 不能超过 不大于 最深 最晚 限额 限制 限 \
超过 超出 大于 \
高于 多于 晚于 长于 不能多于 不得超过 \
| 最小 最少 下限 至少 最低 最短 不少于 起步 不小于 最早 不低于 小于 低于 少于 不足 不到 早于
first: 第一 首个 开头 起始 首次 | 最后 末尾 结尾
local: 本地 本机 | 远程 远端
mutable: 可写 可改 可修改 可编辑 | 只读 不可改 不可修改
public: 公开 可见 看得到 看到 | 私有 不可见 隐藏
automatic: 自动 定时 | 手动 手工 人工 自己
sensitive: 区分大小写 大小写敏感 | 不区分大小写 忽略大小写 大小写不敏感
unique: 唯一 | 重复
positive: 正数 正是 入账 | 负数 负是 出账
increase: 提高 调大 增大 上调 增长 扩容 提到 升到 升级 涨 升高 | 降低 调小 减小 下调 减少 缩容 \
降到 降级 缩减 \
降采样
fast: 很快 迅速 快速 | 很慢 缓慢 卡顿
encrypted: 加密 密文 | 明文
always: 总是 一直 始终 每次 永远 任何 所有 全部 一律 统一 一概 都是 | 从不 从未 永不
full: 全量 完整 整个 全额 | 增量 部分
hot: 热备 不停机 | 冷备 停机 停写
same: 相同 一样 同样 一致 同一 | 不同 不一样 不一致
stable: 稳定 | 偶发 间歇 间歇性 不稳定 偶尔 时不时
permanent: 永久 长期 永不过期 | 临时 有效期 时限
valid: 有效 合法 生效 管用 | 无效 失效 不生效 非法 无用
order-relation: 交集 同时满足 全部满足 「与」 | 并集 任一 「或」
old: 之前的 历史 旧的 以前 老的 | 新的
refundable: 可退 能退 退还 | 不退 不可退
client: 客户端 前端 | 服务端 后端 服务器
exclusive: 只有 仅有 只能 唯有 专属 仅限 只准 只认 只 仅 唯一的 才能 专用 | 不只 不限 不限于 也能 \
也可以
stacking: 叠加 同享 一起用 | 二选一 互斥
soft-delete: 软删除 逻辑删除 逻辑停用 | 物理删除 硬删除 真删
immediate: 立即 立刻 马上 即时 实时 当场 瞬间 即刻 当天 | 延迟 滞后 次日 隔天 T+1
limitless: 没有上限 不限量 无上限 不限制 不设限 不限 | 封顶
per-one: 单人 一人 | 双人 两人
external: 外部 公网 外网 第三方 | 内部 内网
streaming: 流式 | 批处理 批次
dynamic: 动态 | 静态 写死 固定
expires: 会过期 设过期 | 永不过期 不过期 永久有效 长期有效
ordered: 有序 按顺序 保证顺序 | 乱序 无序 顺序不保证
deep: 深拷贝 | 浅拷贝
inherited: 继承 | 覆盖掉
gross: 含税 税前 优惠前 | 不含税 税后 优惠后 扣过
safe: 安全 | 危险 风险
open-close: 左闭右开 | 左开右闭
cascade: 级联 | 不级联
consumed-by: 消费者 | 生产者
inside: 站内 | 站外
free: 免费 不收费 不要钱 不收钱 包邮 | 收费 计费 收取
high: 越高 越大 | 越低 越小
row-wise: 按行 | 按列
ahead: 提前 | 推迟 顺延 延后
pro-rata: 按天折算 按比例 | 整月
first-come: 优先 | 垫底
serial: 串行 | 并行 并发
strict: 严格 | 宽松
compress: 压缩 | 解压
wide: 横向 水平 | 纵向 垂直
stacked: 存在着 有外键 | 没外键
stored: 存储 存放 保存 存到 存于 存进 存在 放在 落在 写入 写到 写进 写在 记录在 落库 放到 存的是 \
存的 落的是 \
躺在 存入 入库 存 放
run: 运行 执行 启动 触发 调用 跑
show: 显示 展示 打印 输出 看板 大屏 提示
get: 获取 拉取 拿到 读取 取得 抓取 捞出 抽取 取 拿 读 查到
send: 发送 推送 下发 上报 派发 发出 投递 发布到 通知 提醒
upload: 上传 提交 传到
return: 返回 回给 响应
use: 使用 采用 走的是 通过的 靠 借助 利用 用的是 用 走
set: 设置 配置 设为 指定 配成 设成 改成 换成 调到 配了 设 配
change: 修改 更改 变更 更新 调整 改为 切换 切到 改到 换为 换到 改
fix: 修复 解决 搞定 修好 修正 恢复正常 缓解 消除 根治 好了 修法 补救 处理 | 复现
vanish: 消失 没了 不再 不见
cause: 原因 因为 由于 造成 导致 所致 是因为 所以 根因 引起 源头 缘故 归咎 因此 瓶颈 源于 \
 害得 元凶 归因 诱因 | 无关 没有影响 没影响 毫无影响 不相干 没有关系 没关系
check: 检查 校验 验证 确认 核对 核实
find: 查找 搜索 检索 查询 查 找
column: 字段 列 属性
table: 表
row: 记录 条数 行 条
folder: 目录 文件夹 路径
file: 文件
parameter: 参数 选项
value: 取值 值
primary-key: 主键
timeout: 超时
password: 密码 口令
function: 函数 方法
job: 任务 作业
pipeline: 流水线 ci
repository: 仓库 代码库
database: 数据库 库
environment: 环境
configuration: 配置项 配置文件
login: 登录 登陆
application: 应用 程序
administrator: 管理员
identifier: 标识 编号 id
number: 数量 数目 个数 数
email: 邮件 邮箱
picture: 图片 图像 图
message: 消息
order: 订单 单子
refund: 退款 退费
size: 大小 尺寸 体积
length: 长度 时长
period: 周期 间隔
wait: 等待 等
restart: 重启 重新启动
deploy: 部署 发布 上线 发版
rollback: 回滚 回退
cancel: 取消 撤回 退掉
latest: 最新 最近
expire: 过期 到期 超期 逾期 失效
memory: 内存 oom
disk: 磁盘 硬盘
network: 网络
host: 主机 机器 节点
container: 容器 pod
dependency: 依赖 依赖包
version: 版本
interface: 接口 api
request: 请求
money: 金额 价格 费用
bear: 承担 支付 出钱 自付 买单 自己掏 掏钱 都由
share-cost: 分摊 共担 各担 各付
part: 分区 分片
default: 默认 缺省 不传参数
otherwise: 否则 不然 要不然 不这样
about: 大约 大概 左右 上下 大致 差不多 约为 目前 现有 一共 总共 约 近
reach: 达到 到
index: 索引
type: 类型
mean: 表示 代表 意味 即 意思是 含义 指 对应
separate: 分隔 隔开
compute: 计算 统计 求和 汇总 累加 相加 算 口径
sort: 排序 排列 顺序
install: 安装 装完 装好 装
image: 镜像
patient: 患者 病人
permission: 权限
log: 日志
device: 设备 终端
thread: 线程
account: 账号 账户 帐号
group: 分组
retry: 重试 重推 重新推送
truncate: 截断 掐断 截掉
join: 关联 连接 join
unit: 单位
step: 步骤
traffic: 流量
peak: 峰值 高峰
alarm: 告警 报警
snowflake: 雪花
watchdog: 看门狗
cursor: 游标
threshold: 阈值 门槛
list: 列表 清单
string: 字符串 string
array: 数组 list
object: 对象 object
integer: 整数 int
member: 会员
seller: 商家 卖家 商户
buyer: 买家 顾客 消费者
guest: 游客 未登录用户 匿名用户
user: 用户
once-a-day: 每天 每日 日增
every-week: 每周
every-month: 每月 按月 每个月 月初
master: 主库
replica: 从库 副本
goods: 商品 货品 品类 类目
wms: 仓储
overwrite: 覆写 改写 重写 覆盖
script: 脚本
gray: 灰度
encode: 编码
prefix: 前缀
suffix: 后缀
miss: 缺 缺少 漏 漏了 没配
lose: 丢失 丢
garbled: 乱码
reconnect: 重连
consume: 消费 消化
dedup: 去重 distinct 重复计
clock: 时钟
lock: 锁定 锁住 锁表 加锁
day: 当天 当日
half: 一半 各半
blank: 白屏 空白
crash: 杀掉 干掉 被杀
queue: 排队 等待队列 堆积
ship: 发货 出库
mode: 模式
single: 单个 单笔 单条 单通
batch: 批量
directly: 直接
abolish: 废弃 不再维护 弃用
meanwhile: 同时 期间
slow-down: 慢 卡
name: 名称 名字 命名
limit-rate: 限流 限速
manager: 主管 经理
approve: 审批 批准 审核 同意
threshold-alarm: 触发
ratio: 占比 比例
sample: 样本
fee: 手续费 费率 运费
full-scan: 全表扫描 全集合扫描
only-one: 只用一个
ownership: 负责 经手
anonymise: 脱敏 匿名化 打码
schedule: 调度 排期 cron
register: 登记 备案 注册 录入
assign: 分配 指派 派给 派单
reserve: 预约 预定 预订 占用
discount: 折扣 优惠 让利 优惠券 代金券
employee: 员工 职员 同事
supplier: 供应商 厂商
contract: 合同 协议
delivery: 配送 送货 物流
ticket: 工单
average: 平均 均值 均长
label: 标签 tag
page: 分页 翻页
reuse: 复用 重用
mobile: 手机 手机号 电话
blank-screen: 白屏
certificate: 证书
compensate: 理赔 赔付 赔偿 报销
freeze: 冻结 锁死
push: 推送 push
canary: 灰度 金丝雀
produce: 产出
bind: 绑定 绑
load-test: 压测 压力测试
idle: 空闲 闲置
deduct: 扣除 扣减 抵扣
stock: 库存
rider: 骑手
teacher: 教师 老师
student: 学生
doctor: 医生 大夫
customer-service: 客服 客诉
bucket: 桶 bucket
cluster: 集群
tenant: 租户
stale: 过时 陈旧
mount: 挂载
warehouse: 仓库 库房
"""

NEGATORS: Final = (
    "不是", "没有", "不能", "不会", "不要", "不再", "不可", "并非", "并未", "尚未", "从未", "无法",
    "绝不", "切勿", "看不到", "拿不到", "取不到", "不予", "不准", "没法",
    "不", "没", "无", "未", "非", "别", "勿", "莫", "否",
)  # fmt: skip
CONDITIONS: Final = ("否则", "不然", "要不然", "除非", "如果不", "要是不", "不这样")
# In these the sign of negation negates nothing.
NOT_NEGATIONS: Final = (
    "不过", "不仅", "不但", "要不", "不断", "非常", "无论", "不管", "不只", "别的", "不论",
    "不得不",
    "分别", "级别", "类别", "区别", "识别", "未来", "是否", "差不多", "不少", "无线", "特别",
    "个别",
    "性别", "无限", "不妨", "别名", "辨别", "告别", "不良", "无理由",
    "不等于", "未成年",
    "未知", "非常", "不同步", "无状态", "未登录", "无人",
)  # fmt: skip
FUNCTION: Final = frozenset(
    """
    的 了 是 在 把 被 会 就 都 也 还 和 与 或 及 里 中 上 下 时 后 前 从 对 为 由 以 于 其 该 这 那
    将 让 给 跟 而 且 但 如 若 则 才 再 先 又 很 更 最 着 过 地 吗 呢 吧 啊 们 个 种 类 所 之 等 可
    有 能 要 得 按 向 往 来 去 起 内 外 间 每 各 某 您 你 我 他 它 她 此 另 并 多 少 些 那么 这样 因
    一下 这个 那个 这些 那些 一个 一种 如果 的话 时候 以后 以及 然后 就是 其中 现在 已经 里面 一般
    之后 之前 以上 以下 进行 情况 办法 记得 注意 通常 可能 比如 例如 为了 一次 一遍 一条 一行 一张
    对于 关于 根据 通过 按照 于是 本 当 想 做 叫 老 即可 那次 那批 这批 那一 一步 一旦 的时候 起来
    我们 他们 自身 本身 完全 真正 其实 反而 最终 常年 目前 平时 日常 至今 照样 仍是 仍 早就 早已
    """.split()
)
# Words that stand whole, so that no part of them is taken for another word.
FAMILIAR: Final = frozenset(
    """
    聊天 天气 今天 明天 昨天 打包 正式 真正 正在 修正 公司 公里 理由 道理 管理 代理 合理 处理 线程
    在线 上下文 下单 下载 下架 上架 上游 下游 后缀 前缀 前提 中间 中心 空间 时间 日期 期限 期间 时区
    时长 时段 时点 时效 定时 及时 同步 同时 同意 开始 开发 展开 分开 关系 关键 关于 有关 相关 海关
    停车 停留 停机 停写 放心 开放 释放 播放 存量 库存 缓存 内存 现存 保存 用户 用例 费用 应用 作用
    信用 通用 专用 公用 用途 走查 取消 读取 取整 消息 消费 消耗 查看 调用 引用 使用 启用 停用
    改造 设备
    设计 设定 配送 配额 分配 搭配 匹配 等级 等于 不等于 路径 道路 网络 网关 网点 表示 代表 图表 报表
    表达 数据 数据库 仓库 入库 出库 题库 库位 行为 执行 运行 银行 发行 进行 逐行 条件 条款 列表 系列
    序列 排列 队列 列举 值班 价值 数值 阈值 峰值 取值 数字 参数 次数 总数 分数 计数 倍数 数组 人数
    计算 预算 算法 结算 换算 清算 核算 打算 图片 地图 视图 意图 导致 一致 到达 收到 遇到 签到 达到
    慢慢 卡片 磁卡 礼品卡 显卡 清单 清晰 清楚 高清 订单 单位 单元 单价 单据 工单 菜单 表单 运单 账单
    崩溃 准确 标准 精准 批准 对准 靠谱 可靠 依靠 停靠 关注 关联 机关 开关 无关 跑步 跑道 丢包 指标
    指定 指数 手指 指针 最近 附近 近似 约束 预约 合约 约定 禁忌 免费 免责 避免 限定 权限 上限
    下限 期限
    界限 有限 期望 需求 必需 要求 要点 主要 重要 需要 装置 安装 包装 集装箱 封装 只要 不仅 仅仅 找零
    """.split()
)
DIGITS: Final = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8, "九": 9,
}  # fmt: skip
SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
# Characters that tell little of what a statement is about.
LIGHT: Final = frozenset(
    "大小好发现自己看开始打回进出原几同真正接收放带头次已旧新加换变调填保持完全整共各相应留控"
    "制反复时间数据公司服务系统情况一三做成法力高低长短快多少来去么那样给点名全家份笔张个位段"
    "期当地方式动作理处解决定确实例"
)
