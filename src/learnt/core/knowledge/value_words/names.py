"""Whether an explanation says more than the names that it explains."""

import re
from functools import lru_cache
from typing import Final

from learnt.core.tokens import STOP_WORDS, names

# What a name's part is called in an explanation, in either language.
_CALLED: Final[dict[str, list[str]]] = {
    line.split()[0]: line.split()[1:]
    for line in """
        user users account person 用户 会员
        order orders purchase 订单
        create created creates creation creating new add placed make made 创建 新建 生成 建立 添加
        update updated updates updating change changed last modify edit 更新 修改 最后 变更 编辑
        delete deleted deletes deleting remove removes removed drop 删除 移除
        get gets getting return returns fetches retrieves read reads 获取 取得 返回 查询 得到
        find finds search searches look 查找 查询 搜索
        set sets setting assign 设置
        list lists all listing several 列表 所有 全部 列出
        add adds added adding new create 添加 新增 增加
        save saves saved store stores persist 保存 存储
        send sends sent sending 发送 发
        login log signs sign logs 登录
        logout log logs out 退出 登出
        register registration registers sign 注册
        time at date when moment timestamp 时间 日期
        at time date when moment timestamp 时间 日期
        on date time when 日期 时间
        date day time when 日期 时间
        id identifier key unique number 编号 标识 主键 唯一 序号
        no number 编号 号码 号 单号
        num number count amount 数量 个数 编号
        count number amount many total 数量 个数 总数 次数 计数
        name called title 名称 名字 姓名 名
        title heading name 标题
        desc description describes text 描述 说明
        description describes text 描述 说明
        status state current 状态
        state status current 状态
        type kind sort 类型 种类
        price cost amount 价格 单价
        amount total sum 金额 数额
        total sum overall 总 总计 合计 总额 总数
        email mail address mails emails 邮箱 邮件
        mail email 邮件
        phone telephone number 电话 手机 手机号 号码
        mobile phone number 手机 手机号
        address addresses lives 地址
        product products item goods 商品 产品
        goods product 商品
        item items 项 商品 条目 明细
        items item lines positions 项 商品 条目 明细
        customer customers client 客户 顾客
        file files 文件
        path location where 路径
        page pages number shows displays renders 页面 页 展示 显示 渲染
        size length big large 大小 尺寸 长度
        url link address 链接 地址 网址
        password passwords secret 密码
        config configuration configures configured settings options 配置 设置 选项
        configuration config settings configures 配置
        settings configuration options 设置 配置
        test tests testing tested 测试 单测 用例
        tests test testing 测试 单测 用例
        spec tests test 测试
        src source sources code 源码 源代码 代码
        docs documentation docs documents 文档
        readme readme project describes start how set run explains introduction 项目 说明 介绍
        自述 使用 文档
        util utility utilities helper helpers functions 工具 辅助 工具类
        utils utility utilities helper helpers functions 工具 辅助 工具类
        helper helpers help 辅助 帮助
        service services business logic 服务 业务 逻辑
        controller controllers requests handles http 控制器 请求 处理 接口
        repository repositories database access data 仓库 数据 访问 持久层
        dao data access 数据 访问
        model models data 模型 数据
        component components 组件
        components component reusable 组件
        button buttons click clicked clicks 按钮 点击
        image images picture 图片 图像
        images image pictures 图片
        info information details data 信息 详情
        detail details information 详情 明细
        payment pay payments paid 支付 付款
        pay payment paid pays 支付 付款
        paid payment pay whether 支付 付款 已付 是否
        is whether true flag if 是否
        has whether true 是否 有
        enabled whether active on 启用 是否 开启
        active whether 启用 激活 有效 是否
        flag whether 是否 标志 标记
        start begin begins starts starting 开始 起始 启动
        stop stops ends halts 停止 结束
        vip premium 会员
        default defaults 默认
        limit maximum most limits 限制 上限
        attempts tries number times 次数 尝试
        error_log errors
        end ends finish 结束 截止
        begin start 开始
        role roles 角色
        permission permissions rights 权限
        log logs logging 日志
        logs log 日志
        sms message text phone number 短信
        message messages 消息 信息
        error errors message 错误 出错
        result results 结果
        data information 数据
        parse parses parsing 解析
        format formats formatted formatting 格式化 格式
        convert converts conversion 转换
        calculate calculates computes calculation 计算
        calc calculates computes 计算
        compute computes calculates 计算
        check checks whether verifies 检查 校验 判断
        validate validates checks valid validation 校验 验证 检查
        validator validates checks validation valid 校验 验证
        export exports exported 导出
        import imports imported 导入
        upload uploads uploaded 上传
        download downloads downloaded 下载
        cart basket shopping 购物车
        category categories 分类 类目
        stock inventory quantity 库存
        inventory stock 库存
        quantity amount number 数量
        qty quantity number 数量
        age old years 年龄
        gender sex 性别
        birthday birth date born 生日 出生 日期
        sex gender 性别
        city town 城市
        province provinces 省 省份
        country land 国家
        remark remarks note comment 备注
        comment comments 评论 备注 注释
        parent parents 父 上级
        sort order sorts sorted 排序 顺序
        level levels 等级 级别
        version versions 版本
        code codes 编码 代码
        dept department 部门
        department departments 部门
        employee employees staff 员工
        student students 学生
        first first 第一 名
        last last 最后 姓
        max maximum number largest most highest 最大 最多
        min minimum smallest least 最小 最少
        avg average mean 平均
        package dependencies project scripts npm 依赖 项目 脚本 包
        pom dependencies maven project build 依赖 项目 构建
        requirements dependencies packages python project needs required 依赖 项目 包
        dockerfile image docker build builds built container describes 镜像 构建 容器
        docker container containers services 容器 镜像 服务
        compose services containers local starts 服务 容器 启动
        makefile targets make build commands 命令 构建
        gitignore git ignored ignore files ignores 忽略 文件
        tsconfig typescript compiler options 编译 选项
        index home start page entry main 首页 主页 入口 索引
        main entry point starts start application bootstraps program 入口 启动 主 程序
        app application root main module program 应用 程序 根 主 入口
        module modules root 模块
        modules module 模块
        shared common shared things 公共 共享
        common shared 公共 通用
        scripts script shell 脚本
        migrations migration database schema changes 迁移 数据库
        routes routing route router urls 路由
        router routing routes 路由
        styles css style sheets 样式
        assets static images fonts 静态 资源
        public static assets 静态 公开 资源
        api endpoints interface interfaces http rest 接口
        exception exceptions error thrown 异常
        factory creates 工厂 创建
        manager manages managing 管理
        handler handles handling 处理
        loader loads loading 加载
        builder builds building 构建
        build builds built building 构建
        jenkinsfile jenkins pipeline stages 流水线
        cache caches cached caching 缓存
        client clients calls 客户端 调用
        printer prints 打印
        print prints 打印
        reader reads 读取
        writer writes 写入
        open opens opened 打开
        close closes closed 关闭
        calendar calendar 日历
        report reports 报表 报告
        invoice invoices bill 发票
        shop shop store 店铺 商店 店
        store shop stores 店铺 门店
        login_page login 登录
        notification notifications notify 通知
        notify notifies notification 通知
        sender sends sending 发送
        query queries 查询
        select selects 查询 选择
        insert inserts 插入 新增
        refund refunds 退款
        cancel cancels cancelled 取消
        submit submits 提交
        table tables 表
        db database 数据库
        database db 数据库
        """.strip().splitlines()
}
_LINKS: Final = frozenset(
    """
    column columns field fields table tables function functions method methods class classes file
    files folder folders directory directories module variable parameter property attribute enum
    enumeration value values constant interface endpoint component page type object row rows entity
    contains contain holds hold stores store keeps keep means mean represents represent denotes
    indicates indicate describes describe defines define returns return refers refer shows show
    tells lists list gives give stands called named name names record records given responsible
    script scripts command commands status option setting button clicking run running runs been
    happens occurs set sets true false says say calling calls there
    parameter parameters explains respectively whose depending either
    happens occurs there appears given respective simply containing called
    handles handle provides provide includes include consists used specifies specify serves
    user users stored kept placed put live lives go belongs belong current project respective
    corresponding
    """.split()
)
_LINKS_ZH: Final = re.compile(
    r"字段|一列|调用|参数|分别|点击|按钮|脚本|接口|每页|条数|页码|不是|时|按|后|函数|方法|"
    r"接口|目录|文件夹|文件|变量|参数|属性|常量|枚举|组件|模块|对象|实体|"
    r"类|表|列|值|"
    r"表示|代表|就是|就|是指|即|指|是|为|用来|用于|用|负责|存放|存储|存|保存|记录|放|返回|提供|"
    r"包含|包括|"
    r"含有|声明|有|的|了|在|里面|里|下面|下|中|内|和|与|及|以及|等|该|这个|这|个|一个|对应|"
    r"相应|所有|所|"
    r"各种|各|都|某|每|条|当前|根据|通过|按照|按|进行|地|作为|主要|会|可以|能|把|将|到|由|之|"
    r"相关|者|"
    r"信息|数据|内容|处理|功能|操作|定义|描述|显示|展示|管理|实现"
)
_PARTS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z']*")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")


@lru_cache(maxsize=4_096)
def _stem(word: str) -> str:
    """A word without its ending, roughly: enough to see that two are one."""
    for ending in ("ies", "ing", "ed", "es", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


_LINKING: Final = frozenset(map(_stem, _LINKS))


def surplus(text: str) -> float | None:
    """The part of an explanation that its names don't tell, 0 to 1; None where nothing is named.

    >>> surplus("user_count is the number of users"), surplus("amount_net is in rappen")
    (0.0, 1.0)
    """
    named = names(text)
    han = "".join(_HAN.findall(text))
    if not named and (
        first := re.match(r"(?:the |an? )?([A-Za-z][A-Za-z0-9]{2,24})", text, re.IGNORECASE)
    ):
        named = [first[1]]
    if not named and not han:
        return None
    told: set[str] = set()
    rest = text
    for name in sorted(named, key=len, reverse=True):
        told.update(part.lower() for part in _PARTS.findall(name))
        rest = rest.replace(name, " ")
    called = [word for part in told for word in _CALLED.get(part, ())]
    known = {_stem(word) for word in (*told, *called)}
    said = [
        word
        for word in (w.lower().split("'")[0] for w in _WORD.findall(rest))
        if word not in STOP_WORDS and len(word) > 1
    ]
    new = [word for word in said if (stem := _stem(word)) not in known and stem not in _LINKING]
    if han:
        left = han
        for word in sorted((w for w in called if _HAN.match(w)), key=len, reverse=True):
            left = left.replace(word, "")
        left = _LINKS_ZH.sub("", left)
        parts = len(said) + len(han) / 2
        return (len(new) + len(left) / 2) / parts if named and parts else None
    return len(new) / len(said) if said else None
